//! Variants that were declared before the run: the answer names them with the technique that they are variants of.

use judge::{Catalogue, Description, State, decide};
use model::Kind;

use super::Run;

fn catalogue() -> Catalogue {
    let one = |name: &str, parameter: Option<&str>| {
        let said = Description {
            idea: format!("the idea of {name}"),
            parameters: parameter.map(str::to_owned).into_iter().collect(),
        };
        (("copy".to_owned(), name.to_owned()), said)
    };
    Catalogue::from([one("presized", Some("buffer_bytes")), one("presized_splice", None), one("mmap", None)])
}

/// Entries with their milliseconds; what stands behind a colon is the technique that an entry is a variant of.
fn run(entries: &[(&str, f64)]) -> Run {
    let mut run = Run::new();
    for (name, base_ms) in entries {
        let (name, base) = name.split_once(':').map_or((*name, None), |(name, base)| (name, Some(base)));
        run.add(name, *base_ms, Kind::BuiltIn).variant_of = base.map(str::to_owned);
    }
    run.rounds(20)
}

fn answer(entries: &[(&str, f64)]) -> (State, String, String) {
    let ranking = decide(&run(entries).record, &catalogue()).rankings.remove(0);
    (ranking.state, ranking.sentence, ranking.advice.expect("an advice"))
}

const SPLICE: &str = "presized_splice:presized";
const KEEP_SIZE: &str = "presized_keep_size:presized";
const POPULATE: &str = "mmap_populate:mmap";

#[test]
fn a_technique_that_is_fastest_with_its_variants_is_one_answer() {
    let buffers =
        [("presized@4K", 14.0), ("presized@128K", 10.0), ("presized@512K", 10.0), ("presized@1M", 10.0)];
    let entries = [&buffers[..], &[(SPLICE, 10.0), (KEEP_SIZE, 10.0), ("read_write", 14.0)]].concat();
    let ranking = decide(&run(&entries).record, &catalogue()).rankings.remove(0);
    assert_eq!(ranking.state, State::OneTechnique, "{}", ranking.sentence);
    let words = "presized is fastest, with any buffer from 128K to 1M, also with keep_size or splice: \
                 read_write takes at least 1.";
    assert!(ranking.sentence.starts_with(words), "{}", ranking.sentence);
    let advice = ranking.advice.expect("an advice");
    let words =
        "Use presized (the idea of presized), any buffer from 128K to 1M, also with keep_size or splice: ";
    assert!(advice.starts_with(words), "{advice}");
    let group = &ranking.groups[0];
    assert_eq!((group.technique.as_str(), ranking.groups.len()), ("presized", 2));
    assert_eq!(group.fastest_values, ["128K", "512K", "1M"]);
    assert_eq!(group.variants, ["presized_keep_size", "presized_splice"]);
    assert_eq!(group.fastest_variants, group.variants);
    let best = &ranking.best_parameters;
    assert!(best.len() == 1 && best[0].value != "4K", "a variant is no value: {best:?}");
}

#[test]
fn a_variant_that_is_fastest_is_named_and_so_is_the_plain_form() {
    let (state, sentence, advice) = answer(&[("presized@1M", 12.0), (SPLICE, 10.0), ("read_write", 14.0)]);
    assert_eq!(state, State::Fastest, "{sentence}");
    assert!(
        sentence.starts_with("presized is fastest, with splice: read_write takes at least 1."),
        "{sentence}"
    );
    assert!(advice.starts_with("Use presized_splice (the idea of presized_splice): "), "{advice}");
    let (state, sentence, advice) = answer(&[("mmap", 10.0), (POPULATE, 12.0), ("read_write", 14.0)]);
    assert_eq!(state, State::Fastest, "{sentence}");
    assert!(
        sentence.starts_with("mmap is fastest, in its plain form: read_write takes at least"),
        "{sentence}"
    );
    assert!(advice.starts_with("Use mmap (the idea of mmap), in its plain form: "), "{advice}");
}

#[test]
fn a_variant_is_named_by_what_it_adds_or_by_its_whole_name() {
    let (_, sentence, advice) = answer(&[("mmap", 10.0), (POPULATE, 10.0), ("read_write", 14.0)]);
    assert!(sentence.starts_with("mmap is fastest, also with populate: "), "{sentence}");
    assert!(advice.starts_with("Use mmap (the idea of mmap), also with populate: "), "{advice}");
    let other = "no_access_time:mmap";
    let (_, sentence, _) = answer(&[("mmap", 10.0), (POPULATE, 10.0), (other, 10.0), ("read_write", 14.0)]);
    assert!(sentence.starts_with("mmap is fastest, also with populate or as no_access_time: "), "{sentence}");
}

#[test]
fn variants_that_compete_with_nothing_else_stand_for_themselves() {
    let (_, sentence, _) = answer(&[("mmap", 12.0), (POPULATE, 10.0)]);
    assert!(sentence.starts_with("mmap_populate is fastest: mmap takes at least 1.1"), "{sentence}");
    let (_, sentence, _) = answer(&[(POPULATE, 10.0), ("read_write", 14.0)]);
    assert!(sentence.starts_with("mmap_populate is fastest: read_write takes at least 1."), "{sentence}");
}

#[test]
fn a_rival_is_named_with_its_variants_that_cannot_be_told_from_the_fastest() {
    let buffers = [("presized@4K", 14.0), ("presized@1M", 10.0)];
    let entries = [&buffers[..], &[(SPLICE, 10.0), ("read_write", 9.999), ("mmap", 14.0)]].concat();
    let mut run = run(&entries);
    run.record.design.delta = 0.0001;
    let sentence = decide(&run.record, &catalogue()).rankings.remove(0).sentence;
    let both = ["presized (1M and splice) cannot be told from it", "read_write cannot be told from it"];
    assert!(both.iter().any(|words| sentence.contains(words)), "{sentence}");
}

#[test]
fn a_variant_of_the_plain_way_is_not_called_the_plain_way() {
    let mut run = run(&[("mmap", 12.0), (POPULATE, 10.0), ("read_write", 14.0)]);
    run.record.design.references.insert("copy".into(), "mmap".into());
    let advice = decide(&run.record, &catalogue()).rankings.remove(0).advice.expect("an advice");
    let words = "Use mmap_populate: it is a variant of mmap, the plain way, and read_write takes at least 1.";
    assert!(advice.starts_with(words), "{advice}");
}
