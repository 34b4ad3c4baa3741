//! Ten techniques that are one, and others that are slower by a known share.

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};

const fn identical(name: &'static str) -> Technique<ControlJob> {
    control(name, "the chain, exactly as long as asked", |job| job.done_by(|job| job.spin_longer(0)))
}

pub(super) const SPIN_A: Technique<ControlJob> = identical("spin_a");
pub(super) const SPIN_B: Technique<ControlJob> = identical("spin_b");
pub(super) const SPIN_C: Technique<ControlJob> = identical("spin_c");
pub(super) const SPIN_D: Technique<ControlJob> = identical("spin_d");
pub(super) const SPIN_E: Technique<ControlJob> = identical("spin_e");
pub(super) const SPIN_F: Technique<ControlJob> = identical("spin_f");
pub(super) const SPIN_G: Technique<ControlJob> = identical("spin_g");
pub(super) const SPIN_H: Technique<ControlJob> = identical("spin_h");
pub(super) const SPIN_I: Technique<ControlJob> = identical("spin_i");
pub(super) const SPIN_J: Technique<ControlJob> = identical("spin_j");

pub(super) const SPIN_PLUS_1: Technique<ControlJob> =
    control("spin_plus_1", "the chain, 1 % longer", |job| job.done_by(|job| job.spin_longer(10)));

pub(super) const SPIN_PLUS_2: Technique<ControlJob> =
    control("spin_plus_2", "the chain, 2 % longer", |job| job.done_by(|job| job.spin_longer(20)));

const fn five_percent_longer(name: &'static str) -> Technique<ControlJob> {
    control(name, "the chain, 5 % longer", |job| job.done_by(|job| job.spin_longer(50)))
}

// Eight of them: a field behind two that are best.
pub(super) const SPIN_PLUS_5: Technique<ControlJob> = five_percent_longer("spin_plus_5");
pub(super) const SPIN_PLUS_5_B: Technique<ControlJob> = five_percent_longer("spin_plus_5_b");
pub(super) const SPIN_PLUS_5_C: Technique<ControlJob> = five_percent_longer("spin_plus_5_c");
pub(super) const SPIN_PLUS_5_D: Technique<ControlJob> = five_percent_longer("spin_plus_5_d");
pub(super) const SPIN_PLUS_5_E: Technique<ControlJob> = five_percent_longer("spin_plus_5_e");
pub(super) const SPIN_PLUS_5_F: Technique<ControlJob> = five_percent_longer("spin_plus_5_f");
pub(super) const SPIN_PLUS_5_G: Technique<ControlJob> = five_percent_longer("spin_plus_5_g");
pub(super) const SPIN_PLUS_5_H: Technique<ControlJob> = five_percent_longer("spin_plus_5_h");
