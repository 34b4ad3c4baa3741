//! The best value of a technique's own parameter: the middle of a plateau, never the best of one run.

use crate::contest::Field;
use crate::places::pair_interval;
use crate::ranking::BestParameter;

/// One value of a parameter: its number, its name in the entry, the entry.
type Value<'a> = (u64, &'a str, usize);

/// The plateaus of all techniques that entered with at least two values, in the order of the entries.
pub(crate) fn best_parameters(field: &Field<'_>) -> Vec<BestParameter> {
    let mut techniques: Vec<(&str, Vec<Value<'_>>)> = Vec::new();
    for &index in &field.competitors {
        let Some((technique, value)) = field.name(index).split_once('@') else { continue };
        let Ok(number) = model::parse_bytes(value) else { continue };
        match techniques.iter_mut().find(|(known, _)| *known == technique) {
            Some((_, values)) => values.push((number, value, index)),
            None => techniques.push((technique, vec![(number, value, index)])),
        }
    }
    techniques.retain(|(_, values)| values.len() > 1);
    techniques.iter().filter_map(|(technique, values)| best_of(field, technique, values)).collect()
}

fn best_of(field: &Field<'_>, technique: &str, values: &[Value<'_>]) -> Option<BestParameter> {
    let leader = field.assessment.leader?;
    let behind =
        |index: usize| if index == leader { Some(0.0) } else { Some(field.assessment.row(index)?.estimate) };
    let scored = values.iter().filter_map(|value| Some((behind(value.2)?, value)));
    let (_, best) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.0.cmp(&b.1.0)))?;
    let on_it = |value: &&Value<'_>| {
        value.2 == best.2
            || pair_interval(field, best.2, value.2)
                .is_some_and(|interval| interval.low <= 0.0 || interval.estimate <= field.rules.margin())
    };
    let mut plateau: Vec<&Value<'_>> = values.iter().filter(on_it).collect();
    plateau.sort_unstable_by_key(|value| value.0);
    let middle = middle_on_a_log_scale(&plateau.iter().map(|value| value.0).collect::<Vec<_>>())?;
    Some(BestParameter {
        technique: technique.to_owned(),
        value: plateau[middle].1.to_owned(),
        plateau: plateau.iter().map(|value| value.1.to_owned()).collect(),
    })
}

/// The index of the value nearest to the geometric mean of the ends; the smaller one of two.
fn middle_on_a_log_scale(ascending: &[u64]) -> Option<usize> {
    let log = |value: u64| (value.max(1) as f64).ln();
    let centre = (log(*ascending.first()?) + log(*ascending.last()?)) / 2.0;
    // Two values equally far away may differ by a rounding error: the smaller one must win all the same.
    let away = |index: usize| ((log(ascending[index]) - centre).abs() * 1e9).round();
    (0..ascending.len()).min_by(|&a, &b| away(a).total_cmp(&away(b)).then(a.cmp(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_plateau_is_that_of_the_logarithms() {
        assert_eq!(middle_on_a_log_scale(&[]), None);
        assert_eq!(middle_on_a_log_scale(&[64]), Some(0));
        assert_eq!(middle_on_a_log_scale(&[1 << 14, 1 << 16, 1 << 20]), Some(1));
        assert_eq!(middle_on_a_log_scale(&[1 << 10, 1 << 12, 1 << 14, 1 << 16]), Some(1));
        assert_eq!(middle_on_a_log_scale(&[1, 2, 3, 1000]), Some(2));
    }
}
