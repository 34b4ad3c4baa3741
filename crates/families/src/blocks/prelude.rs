//! The imports of most techniques of the family.

pub(super) use super::job::{BlocksJob, available, fills_a_huge_page, looping, writes_and_copies};
pub(super) use super::mapping::Pages;
pub(super) use crate::contract::Technique;
