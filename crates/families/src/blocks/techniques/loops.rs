use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const LOOPS: &[Technique<BlocksJob>] = &[
    Technique {
        name: "sse2",
        idea: "registers of 128 bits, four in a turn",
        source: "tinymembench, SSE2 fill",
        needs: "an x86-64 processor",
        probe: |_host, _setting| available(instructions::sse2(), Pages::Base),
        ..looping(|job| job.done_by(instructions::sse2(), Pages::Base))
    },
    Technique {
        name: "avx2",
        idea: "registers of 256 bits, four in a turn",
        source: "likwid-bench, store_avx",
        needs: "an x86-64 processor with AVX2",
        probe: |_host, _setting| available(instructions::avx2(), Pages::Base),
        ..looping(|job| job.done_by(instructions::avx2(), Pages::Base))
    },
    Technique {
        name: "avx512",
        idea: "registers of 512 bits, four in a turn",
        source: "likwid-bench, store_avx512",
        needs: "an x86-64 processor with AVX-512",
        probe: |_host, _setting| available(instructions::avx512(), Pages::Base),
        ..looping(|job| job.done_by(instructions::avx512(), Pages::Base))
    },
    Technique {
        name: "rep_string",
        idea: "rep stosb, and rep movsb for a copy: one instruction, whose steps the processor chooses",
        source: "Intel, Optimization Reference Manual, enhanced REP MOVSB and STOSB",
        suits: writes_and_copies,
        needs: "an x86-64 processor",
        probe: |_host, _setting| available(instructions::string(), Pages::Base),
        ..looping(|job| job.done_by(instructions::string(), Pages::Base))
    },
    Technique {
        name: "nontemporal",
        idea: "movntdq: stores past the caches, so that the old contents are not read first; a fence at the end",
        source: "tinymembench, SSE2 nontemporal fill",
        suits: writes_and_copies,
        needs: "an x86-64 processor",
        probe: |_host, _setting| available(instructions::streaming(), Pages::Base),
        ..looping(|job| job.done_by(instructions::streaming(), Pages::Base))
    },
    Technique {
        name: "prefetch",
        idea: "as sse2, and each line is asked for 512 bytes before its turn",
        source: "AMD, Software Optimization Guide",
        needs: "an x86-64 processor",
        probe: |_host, _setting| available(instructions::prefetching(), Pages::Base),
        ..looping(|job| job.done_by(instructions::prefetching(), Pages::Base))
    },
    Technique {
        name: "huge_pages",
        idea: "the widest registers over memory in huge pages that the system keeps for it (MAP_HUGETLB, MEM_LARGE_PAGES)",
        source: "mmap(2); Microsoft, Large-Page Support",
        calls: &["mmap MAP_HUGETLB"],
        suits: fills_a_huge_page,
        needs: "huge pages that are set aside and free (vm.nr_hugepages; on Windows the right to lock pages in memory)",
        probe: |_host, _setting| available(instructions::widest(), Pages::Explicit),
        ..looping(|job| job.done_by(instructions::widest(), Pages::Explicit))
    },
];
