//! What a machine is told about itself.

use super::*;
use model::{Memory, OperatingSystem, Processor, SystemLimits};

fn topics(host: &Host, volumes: &[Volume]) -> Vec<&'static str> {
    of(host, volumes).iter().map(|advice| advice.topic).collect()
}

#[test]
fn what_is_not_known_says_nothing() {
    assert_eq!(of(&Host::default(), &[Volume::default()]), []);
}

#[test]
fn a_quiet_real_machine_with_a_good_clock_is_not_blamed() {
    let host = Host {
        load: Some([0.1, 3.0, 3.0]),
        uptime_s: Some(86_400),
        clock_source: Some("tsc".into()),
        clock_step_ns: Some(20),
        processor: Processor {
            logical: Some(8),
            cores: Some(8),
            numa_nodes: Some(1),
            governor: Some("performance".into()),
            turbo: Some(false),
            hypervisor: Some("none".into()),
            ..Processor::default()
        },
        memory: Memory {
            total_bytes: Some(100),
            available_bytes: Some(90),
            swap_bytes: Some(0),
            huge_pages: Some("madvise".into()),
            handed_back_bytes: Some(4 << 20),
            ..Memory::default()
        },
        limits: SystemLimits { privileged: Some(true), ..SystemLimits::default() },
        ..Host::default()
    };
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
    Host {
        os: OperatingSystem { name: Some("Wine 8.0".into()), ..OperatingSystem::default() },
        load: Some([1.9, 0.0, 0.0]),
        uptime_s: Some(20),
        clock_source: Some("kvm-clock".into()),
        clock_step_ns: Some(15_625_000),
        processor: Processor {
            logical: Some(4),
            allowed: vec![0, 2],
            cores: Some(2),
            numa_nodes: Some(2),
            governor: Some("powersave".into()),
            turbo: Some(true),
            hypervisor: Some("KVM".into()),
            ..Processor::default()
        },
        memory: Memory {
            total_bytes: Some(1 << 30),
            available_bytes: Some(1 << 20),
            swap_bytes: Some(1 << 30),
            huge_pages: Some("always".into()),
            handed_back_bytes: Some(2 << 20),
            ..Memory::default()
        },
        limits: SystemLimits {
            privileged: Some(false),
            memory_bytes: Some(1 << 28),
            processor_quota_millis: Some(1500),
            ring_refused: Some("the kernel says no".into()),
            counters_refused: Some("the machine is virtual".into()),
            ..SystemLimits::default()
        },
        ..Host::default()
    }
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
    let expected = [
        "wine",
        "virtual",
        "load",
        "boot",
        "processors",
        "smt",
        "governor",
        "turbo",
        "numa",
        "swap",
        "memory",
        "free-memory",
        "huge-pages",
        "clock",
        "clock-step",
        "counters",
        "ring",
        "privilege",
        "quota",
        "memory-limit",
        "tmpfs",
        "overlay",
        "remote",
        "sync",
        "full",
    ];
    let all: Vec<Volume> = volumes.into_iter().chain([slow]).collect();
    assert_eq!(topics(&host, &all), expected);
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
    let host = |hypervisor: &str| Host {
        processor: Processor { hypervisor: Some(hypervisor.into()), ..Processor::default() },
        ..Host::default()
    };
    assert_eq!(topics(&host("none"), std::slice::from_ref(&disk)), ["rotational"]);
    assert_eq!(topics(&host("KVM"), &[disk]), ["virtual", "virtual-disk"]);
}
