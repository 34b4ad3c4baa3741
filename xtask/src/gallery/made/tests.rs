//! What the pages of the made-up runs hold.

use super::*;

#[test]
fn no_page_is_larger_than_two_megabytes() {
    for made in all() {
        let bytes = made.page().len();
        assert!(bytes <= 2_000_000, "{}: {bytes}", made.name);
    }
}

#[test]
fn a_page_shows_a_limited_number_of_samples_and_rows() {
    let page = many().page();
    assert_eq!(page.matches("<li class=\"r").count(), 200);
    assert!(page.contains("100 more rows are in the JSON of the run."), "{}", &page[..2_000]);
    let dots = |made: &Made| made.page().matches("\"/>").count();
    assert!(dots(&large()) < 9 * 30 * 20 + 1_000);
    assert!(large().page().contains("20 of 369 samples shown, extremes kept"));
}

#[test]
fn a_name_with_markup_is_text() {
    let page = names().page();
    assert!(!page.contains("<script") && !page.contains("<img"));
    assert!(page.contains("&lt;script&gt;alert('x')&lt;/script&gt;"));
}

#[test]
fn what_has_no_answer_says_so() {
    for made in [open(), refused()] {
        assert!(made.page().contains("no answer yet"), "{}", made.name);
    }
}
