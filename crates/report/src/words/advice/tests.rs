//! What a page says of a machine.

use super::*;
use crate::words::facts;
use model::Processor;
use serde_json::{Value, json};

fn host_of(host: Value) -> Host {
    serde_json::from_value(host).expect("a host")
}

fn topics(host: &Host, volumes: &[Volume]) -> Vec<&'static str> {
    of(host, volumes).iter().map(|advice| advice.topic).collect()
}

#[test]
fn what_is_not_known_says_nothing() {
    assert_eq!(of(&Host::default(), &[Volume::default()]), []);
}

#[test]
fn a_quiet_real_machine_with_a_good_clock_is_not_blamed() {
    let host = host_of(json!({
        "os": { "family": "" }, "load": [0.1, 3.0, 3.0], "uptime_s": 86_400, "clock_source": "tsc", "clock_step_ns": 20,
        "processor": {
            "architecture": "", "logical": 8, "allowed": [], "cores": 8, "numa_nodes": 1, "governor": "performance",
            "turbo": false, "hypervisor": "none", "caches": [],
        },
        "memory": {
            "total_bytes": 100, "available_bytes": 90, "swap_bytes": 0, "huge_pages": "madvise",
            "handed_back_bytes": 4 << 20,
        },
        "limits": { "privileged": true },
    }));
    let disk = Volume {
        file_system: Some("ext4".into()),
        rotational: Some(false),
        mount_options: Some("rw,async,nosync".into()),
        total_bytes: Some(100),
        free_bytes: Some(50),
        ..Volume::default()
    };
    assert_eq!(of(&host, &[disk]), []);
}

fn disturbed() -> Host {
    host_of(json!({
        "os": { "family": "", "name": "Wine 8.0" }, "load": [1.9, 0.0, 0.0], "uptime_s": 20, "clock_source": "kvm-clock",
        "clock_step_ns": 15_625_000,
        "processor": {
            "architecture": "", "logical": 4, "allowed": [0, 2], "cores": 2, "numa_nodes": 2, "governor": "powersave",
            "turbo": true, "hypervisor": "KVM", "caches": [],
        },
        "memory": {
            "total_bytes": 1 << 30, "available_bytes": 1 << 20, "swap_bytes": 1 << 30, "huge_pages": "always",
            "handed_back_bytes": 2 << 20,
        },
        "limits": {
            "privileged": false, "memory_bytes": 1 << 28, "processor_quota_millis": 1500,
            "ring_refused": "the kernel says no", "counters_refused": "the machine is virtual",
        },
    }))
}

#[test]
fn every_cause_is_named_once() {
    let host = disturbed();
    let volumes = ["tmpfs", "overlay", "nfs4"].map(|name| Volume {
        directory: name.into(),
        file_system: Some(name.into()),
        ..Volume::default()
    });
    let slow = Volume {
        rotational: Some(true),
        mount_options: Some("rw,sync".into()),
        total_bytes: Some(100),
        free_bytes: Some(1),
        ..Volume::default()
    };
    let expected = "wine virtual load boot processors smt governor turbo numa swap memory free-memory huge-pages clock \
                    clock-step counters ring privilege quota memory-limit tmpfs overlay remote sync full";
    let all: Vec<Volume> = volumes.into_iter().chain([slow]).collect();
    assert_eq!(topics(&host, &all).join(" "), expected);
    let texts: Vec<String> = of(&host, &all).into_iter().map(|advice| advice.text).collect();
    assert!(texts.iter().any(|text| text.contains("1.500 processors' worth")), "{texts:?}");
    assert!(
        texts.iter().any(|text| text.contains("cannot be used: the machine is virtual. Cycles")),
        "{texts:?}"
    );
    assert!(texts.iter().all(|text| text.ends_with('.')), "{texts:?}");
}

#[test]
fn one_processor_is_worse_than_two() {
    for (allowed, word) in [(vec![3], "one processor"), (vec![0, 1], "two processors")] {
        let host = Host { processor: Processor { allowed, ..Processor::default() }, ..Host::default() };
        assert!(of(&host, &[])[0].text.contains(word));
    }
}

#[test]
fn a_virtual_disk_is_not_said_to_turn() {
    let disk = Volume { rotational: Some(true), device: Some("/dev/vda".into()), ..Volume::default() };
    for (kind, expected) in [("none", &["rotational"][..]), ("KVM", &["virtual", "virtual-disk"])] {
        let processor = Processor { hypervisor: Some(kind.into()), ..Processor::default() };
        let host = Host { processor, ..Host::default() };
        assert_eq!(topics(&host, std::slice::from_ref(&disk)), expected);
        let facts = facts::of(&host, std::slice::from_ref(&disk));
        let mut names = facts.iter().flat_map(|(_, lines)| lines).map(|(name, _)| *name);
        assert_eq!(names.any(|name| name == "turns"), kind == "none");
    }
}

#[test]
fn workarounds_that_slow_system_calls_are_named() {
    for (names, said) in [
        (&[][..], "0 in force; at system calls: none"),
        (&["meltdown", "srbds"], "2 in force; at system calls: meltdown"),
    ] {
        let mitigations = Some(names.iter().map(|name| String::from(*name)).collect());
        let processor = Processor { mitigations, ..Processor::default() };
        let facts = facts::of(&Host { processor, ..Host::default() }, &[]);
        assert!(
            facts.iter().any(|(_, lines)| lines.contains(&("mitigations", said.to_owned()))),
            "{facts:?}"
        );
    }
}
