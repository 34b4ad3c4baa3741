//! The fingerprint that distinguishes one machine from all others, on every system alike.

use std::hash::Hasher;
// The standard library's hasher for maps may become another one; this one is SipHash-2-4 for good.
#[expect(deprecated, reason = "a fingerprint in a store must not change with the compiler")]
use std::hash::SipHasher;

use model::{Fingerprint, Host};

/// Returns the fingerprint of a machine with this identity; `None` where neither that nor a network name is known: others may be just
/// like it.
pub(super) fn of(host: &Host, machine_id: Option<&str>) -> Option<Fingerprint> {
    let key = machine_id.and_then(key_of);
    let name = if key.is_some() { None } else { Some(host.name.as_deref()?) };
    // The identity is the key and not part of the text: machine-id(5) asks that it stays unknown.
    Some(Fingerprint(format!("{:016x}", sip_hash(key.unwrap_or(0), &text(host, name)))))
}

/// Returns what stays the same until the machine or its system is another one. A part that is not known has an empty line.
fn text(host: &Host, name: Option<&str>) -> String {
    let processor = &host.processor;
    let logical = processor.logical.map(|count| count.to_string());
    let memory = host.memory.total_bytes.map(|bytes| installed(bytes).to_string());
    [
        Some("bakeoff host 1"),
        Some(host.os.family.as_str()),
        Some(processor.architecture.as_str()),
        processor.model.as_deref(),
        logical.as_deref(),
        memory.as_deref(),
        processor.hypervisor.as_deref(),
        name,
    ]
    .map(Option::unwrap_or_default)
    .join("\n")
}

/// Returns roughly the memory that is built in: the reported one, which lacks what the kernel keeps, rounded up to a quarter of a power of
/// two.
fn installed(total_bytes: u64) -> u64 {
    let quarter = (1 << total_bytes.max(4).ilog2()) / 4;
    total_bytes.div_ceil(quarter).saturating_mul(quarter)
}

/// Returns the 128 bits of an identity: 32 hexadecimal digits, with or without hyphens and braces.
fn key_of(machine_id: &str) -> Option<u128> {
    let digits: String = machine_id.chars().filter(|c| !matches!(c, '-' | '{' | '}')).collect();
    let whole = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = whole.then(|| u128::from_str_radix(&digits, 16).ok()).flatten();
    key.filter(|&key| key != 0)
}

#[expect(deprecated, reason = "see above")]
fn sip_hash(key: u128, text: &str) -> u64 {
    let (first, second) = ((key >> 64) as u64, key as u64);
    let mut hasher = SipHasher::new_with_keys(first.swap_bytes(), second.swap_bytes());
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use model::{Memory, OperatingSystem, Processor, SystemLimits};

    use super::*;

    const ID: Option<&str> = Some("0123456789abcdef0123456789abcdef");

    fn host() -> Host {
        Host {
            name: Some("lab".into()),
            os: OperatingSystem { family: "linux".into(), ..OperatingSystem::default() },
            processor: Processor {
                model: Some("Some Processor".into()),
                architecture: "x86_64".into(),
                logical: Some(8),
                hypervisor: Some("none".into()),
                ..Processor::default()
            },
            memory: Memory { total_bytes: Some(16_600_000_000), ..Memory::default() },
            ..Host::default()
        }
    }

    #[test]
    fn what_differs_from_run_to_run_leaves_the_fingerprint_as_it_is() {
        let later = Host {
            name: Some("renamed".into()),
            os: OperatingSystem { kernel: Some("6.12".into()), ..host().os },
            memory: Memory { total_bytes: Some(16_500_000_000), available_bytes: Some(7), ..host().memory },
            processor: Processor { governor: Some("performance".into()), ..host().processor },
            limits: SystemLimits { privileged: Some(true), ..SystemLimits::default() },
            load: Some([1.0, 2.0, 3.0]),
            uptime_s: Some(5),
            ..host()
        };
        assert_eq!(of(&later, ID), of(&host(), ID));
        assert!(of(&host(), ID).is_some());
    }

    #[test]
    fn each_part_of_a_machine_changes_its_fingerprint() {
        let (os, processor, memory) = (host().os, host().processor, host().memory);
        let others = [
            Host { os: OperatingSystem { family: "windows".into(), ..os }, ..host() },
            Host { processor: Processor { model: None, ..processor.clone() }, ..host() },
            Host { processor: Processor { logical: Some(4), ..processor.clone() }, ..host() },
            Host { processor: Processor { hypervisor: Some("KVM".into()), ..processor }, ..host() },
            Host { memory: Memory { total_bytes: Some(33_000_000_000), ..memory }, ..host() },
        ];
        let mut all: Vec<_> = others.iter().map(|other| of(other, ID)).collect();
        all.extend([of(&host(), ID), of(&host(), Some("1123456789abcdef0123456789abcdef"))]);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn the_network_name_stands_in_for_an_identity() {
        let renamed = Host { name: Some("other".into()), ..host() };
        for none in [None, Some(""), Some("uninitialized"), Some("00000000000000000000000000000000")] {
            assert!(of(&host(), none).is_some());
            assert_ne!(of(&host(), none), of(&renamed, none), "{none:?}");
            assert_eq!(of(&Host { name: None, ..host() }, none), None, "{none:?}");
        }
        // As Windows writes it.
        assert_eq!(of(&host(), Some("01234567-89AB-cdef-0123-456789abcdef")), of(&host(), ID));
    }

    #[test]
    fn the_hash_is_siphash_2_4() {
        // Aumasson and Bernstein, "SipHash: a fast short-input PRF", appendix A.
        let message: String = (0..15).map(char::from).collect();
        assert_eq!(sip_hash(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f, &message), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn memory_is_that_which_is_built_in() {
        for gib in [[0.455, 0.5], [1.92, 2.0], [7.65, 8.0], [8.0, 8.0], [15.4, 16.0], [62.5, 64.0]] {
            let [reported, built_in] = gib.map(|gib| (gib * f64::from(1 << 30)) as u64);
            assert_eq!(installed(reported), built_in, "{gib:?} GiB");
        }
        assert_eq!((installed(0), installed(u64::MAX)), (0, u64::MAX));
    }
}
