use std::path::Path;

use super::*;

#[test]
fn a_host_reports_at_least_what_every_system_knows() {
    let host = describe();
    assert!(!host.processor.architecture.is_empty() && !host.os.family.is_empty());
    assert!(host.processor.logical.expect("a number of processors") >= 1);
    assert!(!host.processor.allowed.is_empty());
    assert!(host.memory.total_bytes.expect("memory") > 1 << 20);
    assert!(host.memory.page_bytes.expect("pages").is_power_of_two());
    assert!(host.clock_step_ns.expect("measured") > 0);
    assert!(host.limits.privileged.is_some());
    let caches = host.processor.caches;
    assert!(caches.is_sorted_by_key(|cache| cache.level), "{caches:?}");
    assert!(caches.iter().all(|cache| cache.bytes >= 1024), "{caches:?}");
    for refused in [host.limits.ring_refused, host.limits.counters_refused].into_iter().flatten() {
        assert!(refused.contains(' '), "a refusal is a sentence: {refused}");
    }
}

#[test]
fn a_host_has_the_same_fingerprint_each_time_it_is_described() {
    let first = describe().fingerprint.expect("a fingerprint");
    assert_eq!(first.0.len(), 16);
    let again = describe();
    assert_eq!(again.fingerprint, Some(first.clone()));
    let setup = setup(&again);
    assert_eq!(identity(), Identity { fingerprint: Some(first), setup, kernel: again.os.kernel });
}

#[test]
fn the_setup_of_a_host_holds_known_lasting_facts_only() {
    assert!(setup(&Host::default()).is_empty());
    let mut host = Host::default();
    host.processor.microcode = Some("0x1".into());
    host.processor.governor = Some("performance".into());
    host.memory.huge_pages = Some("madvise".into());
    let cache = |level, bytes| model::CacheLevel { level, kind: "unified".into(), bytes, shared_by: None };
    host.processor.caches = vec![cache(1, 32 << 10), cache(2, 1 << 20)];
    let caches = ("caches", "L1 unified 32 KiB, L2 unified 1 MiB".to_owned());
    let others = [("huge_pages", "madvise".to_owned()), ("microcode", "0x1".to_owned())];
    assert_eq!(setup(&host), others.into_iter().chain([caches]).collect());
}

#[test]
fn the_volume_of_a_folder_is_known_by_name_and_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let volume = volume(folder.path()).expect("it exists");
    assert_eq!(volume.directory, folder.path());
    assert!(volume.file_system.is_some(), "{volume:?}");
    assert!(volume.total_bytes.expect("a size") >= volume.free_bytes.expect("free space"), "{volume:?}");
    let refused = super::volume(Path::new("/no/such/folder")).expect_err("nothing there");
    assert!(refused.to_string().contains("/no/such/folder"), "{refused}");
}

#[test]
fn the_pressure_between_two_readings_is_their_difference() {
    let earlier = Pressure { steal_ticks: Some(10), total_ticks: Some(100), ..Pressure::default() };
    let later = Pressure { steal_ticks: Some(15), total_ticks: Some(200), ..earlier };
    let change = later.since(&earlier);
    assert_eq!(change.steal_share(), Some(0.05));
    assert_eq!(change.thermal_throttles, None, "nothing known is not zero");
    assert_eq!(earlier.since(&earlier).steal_share(), None, "no time has passed");
    // The counters of a running machine do not fall.
    let (earlier, later) = (Pressure::now(), Pressure::now());
    assert!(later.total_ticks >= earlier.total_ticks);
    assert!(later.since(&earlier).steal_share().is_none_or(|share| (0.0..=1.0).contains(&share)));
}

#[test]
fn a_kill_in_another_control_group_is_no_shortage_of_the_host() {
    for (earlier, later, kills) in [
        ((Some(0), Some(7)), (Some(0), Some(7)), Some(0)),
        ((None, Some(7)), (None, Some(7)), None),
        // Our own group, the whole host, and a host that does not count who waits.
        ((Some(0), Some(7)), (Some(1), Some(7)), Some(1)),
        ((None, Some(7)), (None, Some(8)), Some(2)),
        ((None, None), (None, None), Some(2)),
    ] {
        let [earlier, later] =
            [(1, earlier), (3, later)].map(|(kills, (group_memory_kills, memory_stalls))| Pressure {
                memory_kills: Some(kills),
                group_memory_kills,
                memory_stalls,
                ..Pressure::default()
            });
        assert_eq!(later.since(&earlier).shared_kills(), kills);
    }
}
