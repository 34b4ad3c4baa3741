//! What distinguishes one machine from all others, and what of it decides which technique is fastest.

use std::collections::BTreeMap;
use std::hash::Hasher;
// The standard library's hasher for maps may become another one; this one is SipHash-2-4 for good.
#[expect(deprecated, reason = "a fingerprint in a store must not change with the compiler")]
use std::hash::SipHasher;

use super::system;

/// What of a host stays the same until the machine, its system or its microcode is another one; `None` where it is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The identity that the system keeps (machine-id(5), `MachineGuid`). It stays on the machine: nothing prints or stores it.
    pub identity: Option<String>,
    /// Network name.
    pub name: Option<String>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Model name of the processor.
    pub processor: Option<String>,
    /// Version of the processor's microcode.
    pub microcode: Option<String>,
    /// Number of logical processors.
    pub logical: Option<u32>,
    /// Caches of the first processor, by level. Windows reports them to unsafe code only, so they are absent there.
    pub caches: Vec<Cache>,
    /// The hypervisor, or `none` where there surely is none.
    pub hypervisor: Option<String>,
    /// Memory that the kernel manages, in bytes.
    pub memory_bytes: Option<u64>,
    /// Which programs are given transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
}

/// One cache of the first processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    /// 1 is the nearest.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of logical processors that share it.
    pub shared_by: Option<u32>,
}

impl Facts {
    /// Reads the facts of this host.
    pub fn read() -> Self {
        system::read()
    }

    /// Returns the fingerprint: 16 hexadecimal digits. `None` where neither identity nor network name is known: other machines may be
    /// just like it.
    pub fn fingerprint(&self) -> Option<String> {
        let key = self.identity.as_deref().and_then(key_of);
        let name = match key {
            Some(_) => None,
            None => Some(self.name.as_deref()?),
        };
        // The identity is the key and not part of the text: machine-id(5) asks that it stays unknown to those who read what was
        // made of it.
        Some(format!("{:016x}", sip_hash(key.unwrap_or(0), &self.text(name))))
    }

    /// Returns what decides which technique is fastest, and does not change by itself: `microcode`, `caches` and `huge_pages`, as far as
    /// they are known. It is no part of the fingerprint, so that a host stays the same one when its microcode is renewed. The governor
    /// is not in it: on a laptop it changes whenever the plug is pulled.
    pub fn setup(&self) -> BTreeMap<String, String> {
        let cache = |cache: &Cache| format!("L{} {} {}", cache.level, cache.kind, size(cache.bytes));
        let caches = self.caches.iter().map(cache).collect::<Vec<_>>().join(", ");
        let all = [
            ("microcode", self.microcode.clone()),
            ("caches", Some(caches).filter(|caches| !caches.is_empty())),
            ("huge_pages", self.huge_pages.clone()),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// Returns what stays the same until the machine or its system is another one. A part that is not known has an empty line.
    fn text(&self, name: Option<&str>) -> String {
        let logical = self.logical.map(|count| count.to_string());
        let memory = self.memory_bytes.map(|bytes| installed(bytes).to_string());
        [
            Some("bakeoff host 1"),
            Some(std::env::consts::OS),
            Some(std::env::consts::ARCH),
            self.processor.as_deref(),
            logical.as_deref(),
            memory.as_deref(),
            self.hypervisor.as_deref(),
            name,
        ]
        .map(Option::unwrap_or_default)
        .join("\n")
    }
}

/// Formats a size as all pages do: exact in binary units where that is short, else decimal with three digits.
fn size(bytes: u64) -> String {
    const BINARY: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    const DECIMAL: [(&str, f64); 3] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let is_exact = |unit: u64| bytes >= unit && bytes.is_multiple_of(unit) && bytes / unit < 1024;
    if let Some((name, unit)) = BINARY.iter().find(|(_, unit)| is_exact(*unit)) {
        return format!("{} {name}", bytes / unit);
    }
    let Some((name, unit)) = DECIMAL.iter().find(|(_, unit)| bytes as f64 >= *unit) else {
        return format!("{bytes} B");
    };
    let number = bytes as f64 / unit;
    let decimals = if number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    let number = format!("{number:.decimals$}");
    let number = if decimals > 0 { number.trim_end_matches('0').trim_end_matches('.') } else { &number };
    format!("{number} {name}")
}

/// About the memory that is built in. What the system reports is smaller by what the kernel keeps for itself, which differs from
/// kernel to kernel: it is rounded up to a quarter of a power of two.
fn installed(total_bytes: u64) -> u64 {
    let quarter = (1 << total_bytes.max(4).ilog2()) / 4;
    total_bytes.div_ceil(quarter).saturating_mul(quarter)
}

/// The 128 bits of an identity: 32 hexadecimal digits, with or without hyphens and braces.
fn key_of(machine_id: &str) -> Option<u128> {
    let digits: String = machine_id.chars().filter(|c| !matches!(c, '-' | '{' | '}')).collect();
    let whole = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let key = whole.then(|| u128::from_str_radix(&digits, 16).ok()).flatten();
    key.filter(|&key| key != 0)
}

#[expect(deprecated, reason = "see above")]
fn sip_hash(key: u128, text: &str) -> u64 {
    let bytes = key.to_be_bytes();
    let half = |at: usize| u64::from_le_bytes(std::array::from_fn(|nth| bytes[at + nth]));
    let mut hasher = SipHasher::new_with_keys(half(0), half(8));
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn facts() -> Facts {
        Facts {
            identity: Some(ID.into()),
            name: Some("lab".into()),
            processor: Some("Some Processor".into()),
            logical: Some(8),
            hypervisor: Some("none".into()),
            memory_bytes: Some(16_600_000_000),
            ..Facts::default()
        }
    }

    #[test]
    fn fingerprint_ignores_name_kernel_and_reserved_memory() {
        let later = Facts {
            name: Some("renamed".into()),
            kernel: Some("6.12".into()),
            microcode: Some("0x2".into()),
            memory_bytes: Some(16_500_000_000),
            ..facts()
        };
        assert_eq!(later.fingerprint(), facts().fingerprint());
        assert!(facts().fingerprint().is_some());
    }

    #[test]
    fn fingerprint_of_earlier_versions_stays() {
        if (std::env::consts::OS, std::env::consts::ARCH) == ("linux", "x86_64") {
            assert_eq!(facts().fingerprint().as_deref(), Some("cfa6f47196f866fd"));
        }
    }

    #[test]
    fn other_machine_has_other_fingerprint() {
        let others = [
            Facts { processor: None, ..facts() },
            Facts { logical: Some(4), ..facts() },
            Facts { hypervisor: Some("KVM".into()), ..facts() },
            Facts { memory_bytes: Some(33_000_000_000), ..facts() },
            Facts { identity: Some("1123456789abcdef0123456789abcdef".into()), ..facts() },
            facts(),
        ];
        let mut all: Vec<_> = others.iter().map(Facts::fingerprint).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), others.len());
    }

    #[test]
    fn network_name_replaces_missing_identity() {
        for none in [None, Some(""), Some("uninitialized"), Some("00000000000000000000000000000000")] {
            let unknown = Facts { identity: none.map(str::to_owned), ..facts() };
            let renamed = Facts { name: Some("other".into()), ..unknown.clone() };
            assert!(unknown.fingerprint().is_some());
            assert_ne!(unknown.fingerprint(), renamed.fingerprint(), "{none:?}");
            assert_eq!(Facts { name: None, ..unknown }.fingerprint(), None, "{none:?}");
        }
    }

    #[test]
    fn identity_may_have_hyphens() {
        let of_windows = Facts { identity: Some("01234567-89AB-cdef-0123-456789abcdef".into()), ..facts() };
        assert_eq!(of_windows.fingerprint(), facts().fingerprint());
    }

    #[test]
    fn setup_has_what_is_known() {
        assert!(Facts::default().setup().is_empty());
        let cache = |level, bytes| Cache { level, kind: "unified".into(), bytes, shared_by: None };
        let facts = Facts {
            microcode: Some("0x1".into()),
            huge_pages: Some("madvise".into()),
            caches: vec![cache(1, 32 << 10), cache(2, 1 << 20), cache(3, 36_608 << 10)],
            ..Facts::default()
        };
        let setup: Vec<(String, String)> = facts.setup().into_iter().collect();
        let setup: Vec<(&str, &str)> = setup.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        let caches = "L1 unified 32 KiB, L2 unified 1 MiB, L3 unified 37.5 MB";
        assert_eq!(setup, [("caches", caches), ("huge_pages", "madvise"), ("microcode", "0x1")]);
    }

    #[test]
    fn the_hash_is_siphash_2_4() {
        // Aumasson and Bernstein, "SipHash: a fast short-input PRF", appendix A.
        let message: String = (0..15).map(char::from).collect();
        assert_eq!(sip_hash(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f, &message), 0xa129_ca61_49be_45e5);
    }

    #[test]
    fn memory_is_that_which_is_built_in() {
        let gib = |number: f64| (number * f64::from(1 << 30)) as u64;
        for (reported, built_in) in [(0.455, 0.5), (1.92, 2.0), (7.65, 8.0), (15.4, 16.0), (62.5, 64.0)] {
            assert_eq!(installed(gib(reported)), gib(built_in), "{reported} GiB");
        }
        assert_eq!(installed(gib(8.0)), gib(8.0));
        assert_eq!((installed(0), installed(u64::MAX)), (0, u64::MAX));
    }
}
