//! The words for what a contest is about: size and shape, cache, place, processors.

use judge::{Curve, Ranking};
use model::{
    Cache, Class, Durability, Metric, Setting, Workload, axis_counted, format_bytes, format_ns, parse_bytes,
};

/// `25.6 MB, in the page cache, ext4 in ., not flushed`.
pub(crate) fn conditions(ranking: &Ranking, with_place: bool) -> String {
    // Commands that were timed as they were given work on whatever they name, wherever that lies.
    let mut parts = Vec::new();
    if !ranking.workload.is_as_given() {
        let setting = self::setting(&ranking.setting, with_place);
        parts.extend([workload_in(&ranking.workload, &ranking.setting), setting]);
    }
    parts.retain(|part| !part.is_empty());
    parts.extend(class_and_metric(ranking.class, &ranking.metric, ranking.unit_is_known));
    parts.join(", ")
}

pub(crate) fn conditions_beside(curve: &Curve, with_place: bool) -> Vec<String> {
    let told = Some(setting(&curve.setting, with_place)).filter(|text| !text.is_empty());
    told.into_iter().chain(class_and_metric(curve.class, &curve.metric, curve.unit_is_known)).collect()
}

/// Returns what is not usual of the class and of what is compared.
fn class_and_metric(kind: Class, by: &Metric, unit_is_known: bool) -> Vec<String> {
    // Figures of other programs may be anything.
    let is_named = by.key != "value" || unit_is_known;
    let metric = (*by != Metric::WORK && is_named).then(|| format!("by {}", by.what));
    class(kind).into_iter().chain(metric).collect()
}

/// Returns the name of a class that is not the usual one.
pub(crate) fn class(class: Class) -> Option<String> {
    judge::of_class(class).map(|class| format!("techniques {class}"))
}

/// Returns size and shape without what the setting reports: where the clock stops is a word of some workloads, and an end point of all
/// settings.
pub(crate) fn workload_in(of: &Workload, setting: &Setting) -> String {
    let end = setting.conditions.durability.map(|end| end.to_string());
    if !of.point.words().any(|(axis, word)| axis == "durability" && end.as_deref() == Some(word)) {
        return workload(of);
    }
    let mut rest = Workload { name: shown_name(of), ..of.clone() };
    rest.point.0.remove("durability");
    workload(&rest)
}

/// Returns size and shape: the name, unless it only repeats the size, and every number.
pub(crate) fn workload(workload: &Workload) -> String {
    let name = shown_name(workload);
    let repeats = workload.bytes().is_some() && parse_bytes(&name).ok() == workload.bytes();
    let mut numbers: Vec<String> =
        workload.point.numbers().map(|(axis, value)| number(axis, value)).collect();
    // `100000 records` may be all that a name says.
    numbers.retain(|number| *number != name);
    let words = workload.point.words();
    numbers.extend(words.map(|(axis, word)| format!("{} {word}", axis.replace('_', " "))));
    // The name of a preset next to an amount would contradict the preset that was asked for.
    let is_preset = ["quick", "published", "large"].contains(&&*name) && !numbers.is_empty();
    match (repeats || is_preset || name.is_empty(), numbers.is_empty()) {
        (true, _) => numbers.join(", "),
        (false, true) => name,
        (false, false) => format!("{name} ({})", numbers.join(", ")),
    }
}

/// Returns the name where it says nothing that is not so; empty otherwise.
fn shown_name(workload: &Workload) -> String {
    Some(own_name(workload)).filter(|name| is_true_of(name, workload)).unwrap_or_default()
}

/// Returns the name without what was set by hand, which the numbers and words report.
fn own_name(workload: &Workload) -> String {
    let mut name = workload.name.clone();
    for (axis, word) in workload.point.words() {
        name = name.replacen(&format!(" {axis}={word}"), "", 1);
    }
    for (axis, _) in workload.point.numbers() {
        if let Some(start) = name.find(&format!(" {axis}=")) {
            let end = name[start + 1..].find(' ').map_or(name.len(), |length| start + 1 + length);
            name.replace_range(start..end, "");
        }
    }
    name
}

/// Returns false if a name reports an amount that the workload does not have, as `write 8 MiB` after the total was set to 1 MiB.
/// A name stays as it was when a number is set by hand, since it says which runs are compared; a reader must not see both.
fn is_true_of(name: &str, workload: &Workload) -> bool {
    let words: Vec<&str> = name.split_whitespace().map(|word| word.trim_end_matches([',', ')'])).collect();
    let values: Vec<u64> = workload.point.numbers().map(|(_, value)| value).collect();
    let sizes = workload.point.numbers().filter(|(axis, _)| *axis == "bytes" || axis.ends_with("_bytes"));
    let sizes: Vec<String> = sizes.map(|(_, value)| format_bytes(value)).collect();
    let was_set = workload.name.contains('=');
    words.iter().enumerate().all(|(nth, word)| {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        let size = words.get(nth + 1).map(|unit| format!("{word} {unit}"));
        match size.filter(|size| is_number && parse_bytes(size).is_ok()) {
            Some(size) => sizes.is_empty() || sizes.contains(&size),
            None => !was_set || word.parse().map_or(true, |count: u64| values.contains(&count)),
        }
    })
}

fn number(key: &str, value: u64) -> String {
    if key == "bytes" {
        format_bytes(value)
    } else if let Some(size) = key.strip_suffix("_bytes") {
        format!("{} {}", size.replace('_', " "), format_bytes(value))
    } else if let Some(time) = key.strip_suffix("_ns") {
        format!("{} {}", time.replace('_', " "), format_ns(value as f64))
    } else {
        axis_counted(key, value)
    }
}

/// Returns conditions, with the place if asked: `in the page cache, ext4 in ., not flushed`. Empty where nothing is known of them, and
/// nothing is unusual.
pub(crate) fn setting(setting: &Setting, with_place: bool) -> String {
    let conditions = &setting.conditions;
    let cache = conditions.cache.map(|cache| match cache {
        Cache::Warm => "in the page cache",
        Cache::Cold => "cold cache",
    });
    let mut parts: Vec<String> = cache.map(str::to_owned).into_iter().collect();
    parts.extend(match (&conditions.file_system, setting.directory().filter(|_| with_place)) {
        (Some(name), Some(directory)) => Some(format!("{name} in {}", directory.display())),
        (None, Some(directory)) => Some(format!("in {}", directory.display())),
        (name, None) => name.clone(),
    });
    parts.extend(conditions.durability.map(|end| match end {
        Durability::Returned => "not flushed".to_owned(),
        Durability::Durable => "flushed".to_owned(),
    }));
    if !conditions.processors.is_empty() {
        parts.push(format!("processors {}", processors(&conditions.processors)));
    }
    if let Some(bytes) = conditions.memory_limit_bytes {
        parts.push(format!("memory limited to {}", format_bytes(bytes)));
    }
    parts.join(", ")
}

/// Returns numbers of processors in the form of `taskset`: `0-3,8`.
pub(crate) fn processors(list: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &one in list {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(one) => *last = one,
            _ => runs.push((one, one)),
        }
    }
    let words = runs.iter().map(
        |(first, last)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        },
    );
    words.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_told_once() {
        let named = |name: &str| Workload { name: name.to_owned(), ..Workload::default() };
        let files = |count| Workload::of_bytes("published", 65_536).with("file_count", count);
        let odd = named("x").with("piece_bytes", 65_536).with("threads", 8).with("pause_ns", 1500);
        let set = named("three stages pattern=two words threads=2 payload_bytes=64K of_cache=L1/2");
        let set = set.with("threads", 2).with("payload_bytes", 65_536).with("pattern", "two words");
        let sized = Workload::of_bytes("25.6MB piece_bytes=4096", 25_600_000).with("piece_bytes", 4_096);
        let blocks = named("write 8 MiB").with("piece_bytes", 16 << 10).with("total_bytes", 8 << 20);
        let threads = named("1000000 iterations, 1 threads threads=4").with("iterations", 1_000_000);
        for (of, told) in [
            (Workload::of_bytes("25.6MB", 25_600_000), "25.6 MB"),
            (Workload::of_bytes("published", 25_600_000), "25.6 MB"),
            (odd.without_axis("threads"), "pause 1.5 us, piece 64 KiB"),
            (odd, "x (pause 1.5 us, piece 64 KiB, 8 threads)"),
            (named("clock"), "clock"),
            (Workload::of_bytes("100 records", 6_400).with("records", 100), "100 records (6.4 kB)"),
            (files(20), "64 KiB, 20 files"),
            (files(1), "64 KiB, 1 file"),
            (named("").with("threads", 1), "1 thread"),
            (named("").with("threads", 2), "2 threads"),
            (named("").with("batch", 5), "batch 5"),
            (named("").with("depth", 10), "depth 10"),
            // A value that was set by hand.
            (set, "three stages of_cache=L1/2 (payload 64 KiB, 2 threads, pattern two words)"),
            (sized, "25.6 MB, piece 4 KiB"),
            // A name whose amount was replaced by hand.
            (blocks.clone().with("total_bytes", 1 << 20), "piece 16 KiB, total 1 MiB"),
            (blocks, "write 8 MiB (piece 16 KiB, total 8 MiB)"),
            (named("write 8 MiB total_bytes=1M").with("total_bytes", 1 << 20), "total 1 MiB"),
            (threads.with("threads", 4), "1000000 iterations, 4 threads"),
            // What stands in a name alone contradicts nothing.
            (named("tree of 3").with("depth", 10), "tree of 3 (depth 10)"),
        ] {
            assert_eq!(workload(&of), told);
        }
    }

    #[test]
    fn where_the_clock_stops_is_told_once() {
        let mut ranking = crate::fixture::clear();
        let named = Workload { name: "small durability=returned".into(), ..Workload::default() };
        ranking.workload = named.with("order", "sequential").with("durability", "returned");
        ranking.setting.conditions.durability = Some(model::Durability::Returned);
        let told = conditions(&ranking, true);
        assert!(told.starts_with("small (order sequential), "), "{told}");
        assert!(!told.contains("durability") && told.matches("not flushed").count() == 1, "{told}");
        // Of another end point than that of the setting nothing is hidden.
        ranking.setting.conditions.durability = None;
        assert!(conditions(&ranking, true).contains("durability returned"));
    }

    #[test]
    fn what_works_on_no_files_has_no_conditions_of_files() {
        let mut of = Setting::default();
        assert_eq!(setting(&of, true), "");
        of.conditions.processors = vec![0, 1];
        assert_eq!(setting(&of, true), "processors 0-1");
        let mut clock = crate::fixture::clear();
        clock.workload = Workload { name: "calls".into(), ..Workload::default() };
        clock.setting = Setting::default();
        assert_eq!(conditions(&clock, true), "calls");
    }

    #[test]
    fn processors_are_listed_like_taskset_does() {
        assert_eq!(processors(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!(processors(&[u32::MAX, 0]), "4294967295,0");
    }
}
