//! The words for what a contest is about: size and shape, cache, place, processors.

use judge::Ranking;
use model::{Class, Quantity, Setting, Workload, format_bytes, format_ns, parse_bytes};

/// The conditions of a contest: `25.6 MB, warm cache, ext4 in ., returned`.
pub(crate) fn conditions(ranking: &Ranking) -> String {
    // Commands that were timed as they were given work on whatever they name, wherever that lies.
    let is_bare = ranking.workload.is_as_given() && !is_anonymous(&ranking.setting);
    let mut parts = if is_bare { Vec::new() } else { vec![workload(&ranking.workload)] };
    if !is_bare && !is_anonymous(&ranking.setting) {
        parts.push(setting(&ranking.setting));
    }
    parts.extend(class_and_quantity(&ranking.setting, ranking.class, &ranking.quantity));
    parts.join(", ")
}

/// The conditions beside size and shape.
pub(crate) fn conditions_beside(of: &Setting, kind: Class, by: &Quantity) -> Vec<String> {
    let of_setting = (!is_anonymous(of)).then(|| setting(of));
    of_setting.into_iter().chain(class_and_quantity(of, kind, by)).collect()
}

/// What is not usual of the class and of what is compared.
fn class_and_quantity(of: &Setting, kind: Class, by: &Quantity) -> Vec<String> {
    // Figures of other programs may be anything.
    let is_known = by.key != "value" || !is_anonymous(of);
    let quantity = (*by != Quantity::WORK && is_known).then(|| format!("by {}", by.what));
    class(kind).map(str::to_owned).into_iter().chain(quantity).collect()
}

/// What a class is called where it is not the usual one.
pub(crate) fn class(class: Class) -> Option<&'static str> {
    match class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("techniques that share the input's extents"),
        Class::ReusesEarlierWork => Some("techniques that reuse earlier work"),
    }
}

/// Whether the samples came without a setting, as those of other programs do: then neither their conditions nor their unit is
/// known, and none is shown. A setting of ours always names its directory.
pub(crate) fn is_anonymous(setting: &Setting) -> bool {
    setting.directory.as_os_str().is_empty()
}

/// Size and shape: the name, unless it only repeats the size, and every number.
pub(crate) fn workload(workload: &Workload) -> String {
    let repeats = workload.bytes().is_some() && parse_bytes(&workload.name).ok() == workload.bytes();
    let mut numbers: Vec<String> =
        workload.point.numbers().map(|(axis, value)| number(axis, value)).collect();
    // `100000 records` may be all that a name says.
    numbers.retain(|number| *number != workload.name);
    // What was set by hand stands in the name already.
    let is_named = |axis: &str| workload.name.split(' ').any(|part| part.starts_with(&format!("{axis}=")));
    let words = workload.point.words().filter(|(axis, _)| !is_named(axis));
    numbers.extend(words.map(|(axis, word)| format!("{} {word}", axis.replace('_', " "))));
    match (repeats || workload.name.is_empty(), numbers.is_empty()) {
        (true, _) => numbers.join(", "),
        (false, true) => workload.name.clone(),
        (false, false) => format!("{} ({})", workload.name, numbers.join(", ")),
    }
}

fn number(key: &str, value: u64) -> String {
    let words = |key: &str| key.replace('_', " ");
    if key == "bytes" {
        format_bytes(value)
    } else if let Some(size) = key.strip_suffix("_bytes") {
        format!("{} {}", words(size), format_bytes(value))
    } else if let Some(time) = key.strip_suffix("_ns") {
        format!("{} {}", words(time), format_ns(value as f64))
    } else if let Some(thing) = key.strip_suffix("_count") {
        format!("{value} {}{}", words(thing), if value == 1 { "" } else { "s" })
    } else {
        format!("{value} {}", words(key))
    }
}

/// The conditions that are not part of the size.
pub(crate) fn setting(setting: &Setting) -> String {
    let mut parts = vec![format!("{} cache", setting.cache)];
    parts.push(match &setting.file_system {
        Some(name) => format!("{name} in {}", setting.directory.display()),
        None => format!("in {}", setting.directory.display()),
    });
    parts.push(setting.durability.to_string());
    if !setting.processors.is_empty() {
        parts.push(format!("processors {}", processors(&setting.processors)));
    }
    if let Some(bytes) = setting.memory_limit_bytes {
        parts.push(format!("memory limited to {}", format_bytes(bytes)));
    }
    parts.join(", ")
}

/// Numbers of processors in the form of `taskset`: `0-3,8`.
pub(crate) fn processors(list: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &one in list {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(one) => *last = one,
            _ => runs.push((one, one)),
        }
    }
    let word = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_told_once() {
        assert_eq!(workload(&Workload::of_bytes("25.6MB", 25_600_000)), "25.6 MB");
        assert_eq!(workload(&Workload::of_bytes("published", 25_600_000)), "published (25.6 MB)");
        let odd = Workload { name: "x".into(), ..Workload::default() };
        let odd = odd.with("piece_bytes", 65_536).with("threads", 8).with("pause_ns", 1500);
        assert_eq!(workload(&odd), "x (pause 1.5 us, piece 64 KiB, 8 threads)");
        assert_eq!(workload(&odd.beside("threads")), "pause 1.5 us, piece 64 KiB");
        assert_eq!(workload(&Workload { name: "clock".into(), ..Workload::default() }), "clock");
        let records = Workload::of_bytes("100 records", 6_400).with("records", 100);
        assert_eq!(workload(&records), "100 records (6.4 kB)");
        for (files, told) in [(20, "published (64 KiB, 20 files)"), (1, "published (64 KiB, 1 file)")] {
            assert_eq!(workload(&Workload::of_bytes("published", 65_536).with("file_count", files)), told);
        }
    }

    #[test]
    fn processors_are_listed_like_taskset_does() {
        assert_eq!(processors(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!(processors(&[u32::MAX, 0]), "4294967295,0");
    }
}
