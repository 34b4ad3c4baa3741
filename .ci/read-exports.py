"""Reads the exports of a run as the programs do that they are made for, and compares every figure with the run's own JSON."""

import csv
import json
import statistics
import sys
from pathlib import Path

import pyperf

folder = Path(sys.argv[1])


def close(one, other):
    return abs(one - other) <= 1e-9 * abs(other)


def value_of(metric, sample):
    if metric["source"] == "value":
        return sample.get("values", {}).get(metric["key"])
    return sample.get(metric["key"])


def entries(run):
    """The counted values of every entry that did not fail, by family, workload, technique and conditions."""
    found = {}
    for contest in run["contests"]:
        point = ("family", "workload", "setting")
        trials = [trial for trial in run["trials"] if all(trial[key] == contest[key] for key in point)]
        for entry in contest["entries"]:
            if entry["standing"] == "failed" or entry["kind"] == "twin":
                continue
            own = [trial for trial in trials if trial["technique"] == entry["technique"]]
            last = max(trial.get("attempt", 0) for trial in own)
            rounds = {s["round"] for t in trials if t.get("attempt", 0) == last for s in t["samples"]}
            samples = next(trial for trial in own if trial.get("attempt", 0) == last)["samples"]
            counted = [s for s in samples if s["round"] > min(rounds)] or samples
            values = [value_of(contest["metric"], sample) for sample in counted]
            if values:
                setting = contest["setting"]
                name = f"{contest['family']}/{entry['technique']} {contest['workload']['name']}"
                name += "".join(f" {setting[key]}" for key in ("cache", "durability") if key in setting)
                found[name] = (contest, entry, values)
    return found


def check_pyperf(name, found):
    suite = pyperf.BenchmarkSuite.load(str(folder / f"{name}.pyperf"))
    timed = {key: one for key, one in found.items() if one[0]["metric"]["key"].endswith("_ns")}
    assert set(suite.get_benchmark_names()) == set(timed), (suite.get_benchmark_names(), sorted(timed))
    printed = (folder / "printed-stats").read_text() if name == "one" else None
    for benchmark in suite.get_benchmarks():
        ours = statistics.mean(timed[benchmark.get_name()][2]) / 1e9
        assert close(benchmark.mean(), ours), (benchmark.get_name(), benchmark.mean(), ours)
        assert benchmark.get_unit() == "second"
        assert printed is None or benchmark.format_value(ours) in printed, (benchmark.get_name(), ours)


def check_bmf(name, found):
    document = json.loads((folder / f"{name}.bmf").read_text())
    assert set(document) == set(found), (sorted(document), sorted(found))
    for key, measures in document.items():
        contest, _, values = found[key]
        expected = "latency" if contest["metric"]["source"] in ("work", "process") else None
        (measure, metric), = measures.items()
        assert expected in (None, measure), (key, measure)
        assert close(metric["value"], statistics.median(values)), (key, metric)
        if len(values) > 1:
            assert metric["lower_value"] <= metric["value"] <= metric["upper_value"], (key, metric)


def check_hyperfine(name):
    """What hyperfine's scripts read: plot_whisker, plot_progression, plot_histogram, advanced_statistics, plot_parametrized."""
    results = json.loads((folder / f"{name}.hyperfine").read_text())["results"]
    assert results
    for one in results:
        assert isinstance(one["command"], str) and isinstance(one["parameters"], dict)
        assert one["times"] and close(statistics.mean(one["times"]), one["mean"]), one["command"]
        assert one["min"] <= one["median"] <= one["max"] and (one["stddev"] or 0) >= 0
        assert len(one["exit_codes"]) == len(one["times"])


def check_benchstat(found):
    """benchstat's medians of one file, as it writes them for spreadsheets: in seconds, or in what it takes for a base unit."""
    medians, seconds = [], 0
    for row in csv.reader((folder / "medians.csv").read_text().splitlines()):
        if len(row) == 3 and row[1:2] and row[0].split("/")[0] in ("Copy", "Clock", "Pipeline"):
            medians.append((row[0], float(row[1])))
    assert len(medians) == len(found), (medians, sorted(found))
    for name, median in medians:
        family, workload, technique = name.rsplit("-", 1)[0].split("/", 2)
        key = f"{family.lower()}/{technique.removeprefix('technique=')} {workload.removeprefix('workload=')}"
        # A name in Go's format holds no space.
        alike = (one for full, one in found.items() if f"{full} ".replace(" ", "_").startswith(f"{key}_".replace(" ", "_")))
        contest, _, values = next(alike)
        is_time = contest["metric"]["key"].endswith("_ns")
        seconds += is_time
        assert close(median, statistics.median(values) / (1e9 if is_time else 1)), (name, median)
    assert seconds


for name in ("one", "two"):
    found = entries(json.loads((folder / f"{name}.json").read_text()))
    check_pyperf(name, found)
    check_bmf(name, found)
    check_hyperfine(name)
    if name == "one":
        check_benchstat(found)
    print(f"{name}: {len(found)} entries are what pyperf, benchstat, Bencher and hyperfine's scripts take them for")
