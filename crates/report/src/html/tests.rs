//! What the HTML pages hold.

use judge::{Cloud, ContestSeen, Dot, Drift};

use super::*;
use crate::fixture;
use crate::pages::HostPage;
use crate::{Format, Style, render};

fn seen(contests: usize) -> Seen {
    let dots =
        |ratio: f64| (1..=20).map(|round| Dot { round, ratio: ratio + f64::from(round) / 100.0 }).collect();
    let cloud =
        |entry: &judge::Entry| Cloud { dots: entry.factor.map(dots).unwrap_or_default(), ..Cloud::default() };
    let drift = Drift { rounds: vec![(0, 1.0), (1, 1.02), (2, 1.9)], median_ns: Some(1.5e6), spread: 0.03 };
    let contest = ContestSeen {
        entries: fixture::ranking().entries.iter().map(cloud).collect(),
        drift: Some(drift.clone()),
    };
    Seen { contests: vec![contest; contests], canaries: vec![drift.clone(), drift] }
}

fn page_of(decided: &Decided) -> String {
    page_with(&fixture::record(), decided, &[], &seen(decided.rankings.len()))
}

fn page_with(record: &Record, decided: &Decided, findings: &[::findings::Judged], seen: &Seen) -> String {
    run(&RunPage { record, decided, context: &fixture::context(), findings }, seen)
}

fn of<P: Page + ?Sized>(page: &P) -> String {
    render(page, Format::Html, &Style::default())
}

fn contests() -> Decided {
    fixture::decided(&[fixture::ranking(), fixture::clear()])
}

fn text(page: &str) -> String {
    let (first, tags) = page.split_once('<').unwrap_or((page, ""));
    let behind = tags.split('<').map(|tag| tag.split_once('>').map_or("", |(_, behind)| behind));
    let out = first.to_owned() + &behind.collect::<String>();
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn tags<'a>(page: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let begins =
        move |rest: &&str| rest.starts_with(name) && !rest[name.len()..].starts_with(char::is_alphanumeric);
    page.split('<').filter(begins).map(|rest| rest.split('>').next().unwrap_or_default())
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    for page in [page_of(&contests()), page_of(&fixture::with_levels()), of(&contests())] {
        for part in ["<script", "://", " src=", "@import", "url(", "<link", "<img"] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn the_sentences_are_those_of_the_other_formats_to_the_letter() {
    let decided = contests();
    let page = text(&page_of(&decided));
    for ranking in &decided.rankings {
        assert!(page.contains(&ranking.sentence), "{}", ranking.sentence);
        for failure in &ranking.failures {
            assert!(page.contains(&crate::words::phrase::failed(failure)));
        }
    }
    let terminal = fixture::run(&decided, crate::Format::Markdown);
    assert!(terminal.contains(&decided.rankings[0].sentence));
    let curve = fixture::with_levels();
    assert!(text(&page_of(&curve)).contains(&curve.curves[0].sentence));
}

#[test]
fn every_plot_has_a_role_and_says_what_it_shows() {
    for page in [page_of(&contests()), page_of(&fixture::with_levels())] {
        let mut plots = 0;
        let outer = tags(&page, "svg").filter(|tag| tag.contains("class=") || tag.contains("role="));
        for tag in outer.filter(|tag| !tag.contains("aria-hidden")) {
            assert!(tag.contains("role=\"img\"") && tag.contains("aria-label=\""), "{tag}");
            assert!(!tag.contains("aria-label=\"\""), "{tag}");
            plots += 1;
        }
        assert!(plots > 2, "{plots}");
        assert!(tags(&page, "th").all(|tag| tag.contains("scope=")));
    }
}

#[test]
fn names_with_markup_are_text() {
    let page = page_of(&contests());
    let odd = plain(fixture::ODD);
    assert!(odd.contains('<') && !page.contains(&odd));
    let mut ranking = fixture::clear();
    ranking.family = "<b>f</b>".into();
    ranking.entries[1].technique = "</style><script>alert(1)</script>".into();
    ranking.sentence = "<i>a</i> & b".into();
    let page = page_of(&fixture::decided(&[ranking]));
    assert!(!page.contains("<b>f<") && !page.contains("<script") && !page.contains("<i>a"), "{page}");
    assert!(page.contains("&lt;i&gt;a&lt;/i&gt; &amp; b"));
}

#[test]
fn every_sample_is_a_dot_and_links_lead_to_their_blocks() {
    let page = page_of(&contests());
    let rankings = contests().rankings;
    let entries = rankings.iter().flat_map(|ranking| &ranking.entries);
    let rows = entries.filter(|entry| contest_row::drawn(entry).is_some()).count();
    // Those of samples alone close themselves.
    assert_eq!(page.matches("\"/>").count(), 20 * rows, "the dots of {rows} rows");
    for id in tags(&page, "a").filter_map(|tag| tag.split("href=\"#").nth(1)?.split('"').next()) {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn contests_of_one_family_have_names_of_their_own() {
    let decided = fixture::decided(&[fixture::ranking(), fixture::ranking()]);
    let titled = titled(&decided);
    assert_eq!(titled[0].id, "copy");
    assert_ne!(titled[0].id, titled[1].id);
    let mut odd = fixture::ranking();
    odd.family = "名前".into();
    assert_eq!(self::titled(&fixture::decided(&[odd]))[0].id, "contest-1");
}

#[test]
fn without_contests_a_page_says_so_and_has_no_empty_block() {
    let page = page_of(&fixture::decided(&[]));
    assert!(page.contains("No contest took place."));
    assert!(!page.contains("id=\"contests\""));
    assert!(!page.contains("id=\"findings\""));
    assert!(!page.contains("#published") && !page.contains("id=\"then\""));
}

#[test]
fn a_refused_level_is_named_below_its_curve() {
    let page = text(&page_of(&fixture::with_levels()));
    assert!(page.contains("Refused: the disk was full while a ran."), "{page}");
    assert!(page.contains("sequential") && page.contains("4 KiB") && page.contains("2 MiB"));
}

#[test]
fn pages_without_plots_are_tables() {
    let pages = [
        of(&[fixture::listing()][..]),
        of(&HostPage { host: &fixture::host(), volumes: &[fixture::volume()] }),
        of(&fixture::timed()),
        of(&fixture::noise()),
        of(&[fixture::record().summary()][..]),
    ];
    for page in &pages {
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<table>"), "{page}");
        assert_eq!(page.matches("<h1>").count(), 1);
    }
    let listing = &pages[0];
    assert!(listing.contains("&lt;all&gt;") && text(listing).contains("not here: no _ring_"), "{listing}");
}

#[test]
fn a_page_of_several_jobs_opens_with_the_table_of_the_terminal() {
    let mut decided = fixture::with_levels();
    decided.rankings.push(fixture::ranking());
    let page = page_of(&decided);
    let (before, rest) = page.split_once("aria-label=\"What to use\"").expect("the table");
    assert!(!before.contains("class=\"card\"") && before.contains("id=\"answers\""), "it stands first");
    let rows = rest.split("</table>").next().unwrap_or_default();
    let (record, context) = (fixture::record(), fixture::context());
    let terminal = RunPage { record: &record, decided: &decided, context: &context, findings: &[] };
    let terminal = render(&terminal, Format::Text, &Style { width: 120, ..Style::default() });
    for cell in ["copy_file_range =1", "thread_pool", "sequential", "file", "cannot tell", "5.41 ms"] {
        assert!(text(rows).contains(cell) && terminal.contains(cell), "{cell}: {rows}\n{terminal}");
    }
}

fn with_load(load: f64) -> String {
    let decided = fixture::decided(&[fixture::clear(), fixture::clear_by(model::Metric::CPU)]);
    let mut record = fixture::record();
    record.host.load = Some([load, 0.0, 0.0]);
    record.notes.clear();
    let mut seen = seen(2);
    seen.contests[0].drift.as_mut().expect("a drift").spread = if load > 100.0 { 0.3 } else { 0.01 };
    let page = page_with(&record, &decided, &[], &seen);
    let header = page.split("</header>").next().unwrap_or_default();
    text(header.split("<h1>").nth(1).expect("a title"))
}

#[test]
fn under_the_title_stands_whether_the_host_was_quiet() {
    let quiet = with_load(0.25);
    assert!(quiet.contains("Quiet: load 0.25 when it began; fixed work stayed within ±3 %"), "{quiet}");
    let loud = with_load(389.0);
    let said = "Not quiet: Other work ran when this run began: load 389 on 2 processors. It widens or shifts";
    assert!(loud.contains(said), "{loud}");
    assert!(loud.contains("Affected: copy") && loud.contains("(±30 %)"), "{loud}");
    // It is said once, and not again above the answers.
    let mut record = fixture::record();
    record.host.load = Some([389.0, 0.0, 0.0]);
    let page = page_with(&record, &contests(), &[], &seen(2));
    assert_eq!(page.matches("Other work ran when this run began").count(), 1);
}

#[test]
fn the_same_blocks_are_open_in_every_contest_and_curve() {
    let page = page_of(&fixture::decided(&[fixture::ranking(), fixture::clear(), fixture::ranking()]));
    for (page, expected) in [
        (page, &["Table: Times, throughput, processor time"; 3][..]),
        (page_of(&fixture::with_levels()), &["Table: all levels"]),
    ] {
        let sections = page.split("<section class=\"contest\"").skip(1).map(|section| {
            let open = section.split("<details open>").skip(1);
            open.filter_map(|rest| rest.split("</summary>").next()).map(text).collect::<String>()
        });
        assert_eq!(sections.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn one_entry_is_no_contest_and_figures_of_many_are_a_table() {
    let mut alone = fixture::clear();
    alone.entries.truncate(1);
    (alone.state, alone.choice, alone.family) = (State::Alone, None, "sort".to_owned());
    alone.sentence = "a is the only technique that took part: nothing to compare it with.".to_owned();
    let page = page_of(&fixture::decided(&[fixture::ranking(), alone.clone()]));
    assert_eq!(page.matches("<section class=\"contest\"").count(), 1);
    assert_eq!(page.matches("<a class=\"card\"").count(), 1);
    assert!(text(&page).contains(&format!("{} copy_file_range: 5.41 ms.", alone.sentence)), "{page}");
    let mut decided = fixture::with_levels();
    decided.curves[0] = fixture::spread(fixture::curve());
    let page = page_of(&decided);
    let remarks = page.split("<ul class=\"remarks\">").skip(1);
    let remarks: String = remarks.filter_map(|rest| rest.split("</ul>").next()).collect();
    for figure in ["contention", "slower with"] {
        assert!(page.contains(figure) && !remarks.contains(figure), "{figure}: {remarks}");
    }
}

#[test]
fn every_answer_has_its_command() {
    let page = text(&page_of(&contests()));
    let command = format!("To repeat: bakeoff run copy --seed {}", u64::MAX);
    assert_eq!(page.matches(&command).count(), 2, "{page}");
}

#[test]
fn every_plot_can_be_saved() {
    for (page, least) in [(page_of(&contests()), 3), (page_of(&fixture::with_levels()), 2)] {
        let saved: Vec<&str> = tags(&page, "a").filter(|tag| tag.contains("download=")).collect();
        assert!(saved.len() >= least, "{saved:?}");
        for tag in saved {
            let file = tag.split("href=\"data:image/svg+xml,").nth(1).expect("a picture");
            assert!(file.starts_with("%3Csvg xmlns='http%3A//www.w3.org"), "{file}");
            assert!(!file.trim_end_matches('"').contains(['"', '<', '>', '#', '&']), "{file}");
        }
        // A plot of rows and a curve end in a link each.
        let plots = page.matches("<div class=\"plot\">").count() + page.matches("<div class=\"cv\">").count();
        assert_eq!(page.matches("</div><p class=\"save\">").count() - 1, plots, "the panels of noise, too");
    }
}

/// Returns the row of a technique in a plot.
fn row_of<'a>(page: &'a str, name: &str) -> &'a str {
    let mut rows = page.split("<li class=\"r").skip(1).filter_map(|row| row.split("</li>").next());
    let title = format!("title=\"{name}\"");
    rows.find(|row| row.contains(&title)).expect("a row")
}

#[test]
fn an_unknown_end_fades_and_a_value_beyond_the_plot_has_a_mark() {
    let page = page_of(&contests());
    // The lower end of this one is not known, both of the next one are.
    let odd = plain(fixture::ODD).replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    assert_eq!(row_of(&page, &odd).matches("class=\"fade\"").count(), 1);
    assert_eq!(row_of(&page, "read_write@256K").matches("class=\"fade\"").count(), 0);
    let beyond = "<svg x=\"100%\" y=\"13\"><path class=\"off";
    assert!(row_of(&page, "read_write@4K").contains(beyond), "{page}");
    assert!(!row_of(&page, "sendfile").contains(beyond), "{page}");
}

#[test]
fn what_is_tied_stands_above_what_is_slower() {
    let mut ranking = fixture::ranking();
    ranking.entries.swap(1, 2);
    let page = page_of(&fixture::decided(&[ranking]));
    let rows: Vec<bool> = page.split("<li class=\"r").skip(1).map(|row| row.starts_with(" cand")).collect();
    assert!(rows.is_sorted_by_key(|is_tied| !is_tied), "{rows:?}");
}

#[test]
fn a_row_says_one_time() {
    let page = page_of(&contests());
    let row = text(&format!("<li{}", row_of(&page, "read_write@4K")));
    let times: Vec<&str> =
        row.match_indices(" ms").map(|(at, _)| row[..at].rsplit(' ').next().unwrap_or("")).collect();
    assert!(!times.is_empty() && times.iter().all(|time| *time == "66.8"), "{times:?} {row}");
}

#[test]
fn figures_of_the_clock_are_those_of_one_call() {
    let mut ranking = fixture::ranking();
    ranking.workload = ranking.workload.with("calls", 1000);
    let page = text(&page_of(&fixture::decided(&[ranking])));
    assert!(page.contains("typical value, us a call") && page.contains("5.41 us a call"), "{page}");
    assert!(!page.contains("5.41 ms") && !page.contains("typical value, ms"), "{page}");
}

#[test]
fn what_was_published_is_a_page_of_its_own_linked_both_ways() {
    let all = ::findings::all();
    let judged = [::findings::judge(&all[0], &[], &::findings::Known::new(), None)];
    let page = page_with(&fixture::record(), &contests(), &judged, &seen(2));
    let (run, apart) =
        page.split_once("<section class=\"apart\" id=\"published\"").expect("a page of its own");
    assert!(run.contains("<a href=\"#published\">") && !run.contains("id=\"findings\""), "{run}");
    assert!(apart.contains("<a href=\"#answers\">") && apart.contains("id=\"findings\""), "{apart}");
    assert!(!apart.contains("<section class=\"quiet\""), "it stands behind all others");
    for rule in [".apart { display: none; }", ".apart:target, .apart:has(:target) { display: block; }"] {
        assert!(STYLE.contains(rule), "{rule}");
    }
}

#[test]
fn a_page_of_failures_only_counts_no_rounds() {
    let said = |rounds: u32| text(&page_of(&fixture::decided(&[Ranking { rounds, ..fixture::ranking() }])));
    assert!(said(20).contains("up to 20 rounds"));
    assert!(said(0).contains("no round was counted") && !said(0).contains("up to 0 rounds"));
}
