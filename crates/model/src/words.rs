//! Words of enumerations, and shares, lists of processors and assignments as people type them.

/// Declares an enumeration of which each variant has a word: in files, on the command line and in what is printed.
macro_rules! in_words {
    ($(#[$of:meta])+ pub enum $name:ident { $($(#[$what:meta])+ $variant:ident = $word:literal,)+ }) => {
        $(#[$of])+
        pub enum $name {
            $($(#[$what])+ #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All of them, in this order.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// Returns the word for it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

/// No machine has processors of higher numbers; a longer range is a slip of the hand.
const LONGEST_RANGE: u32 = 4096;

/// Reads logical processors such as `0`, `0,1` or `0,2-3`: ascending, each once.
/// Errors: names the part that is none, with an example.
pub fn parse_processors(text: &str) -> Result<Vec<u32>, String> {
    let mut list = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let ends = first.trim().parse::<u32>().ok().zip(last.trim().parse::<u32>().ok());
        let ends = ends.filter(|(first, last)| first <= last && last - first <= LONGEST_RANGE);
        let Some((first, last)) = ends else {
            return Err(format!("'{part}' is not a list of processors; for example 0, 0,1 or 0,2-3"));
        };
        list.extend(first..=last);
    }
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

/// Reads a share such as `2%` or `0.02`. More than the whole takes the sign: `5` is meant as 5 % more often than as 500 %.
/// Errors: it is not a number, or a number above 1 without the sign, with an example.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    // `NaN` and `inf` are numbers to the parser.
    let share = share.ok().filter(|share| share.is_finite());
    let share = share.ok_or_else(|| format!("'{text}' is not a percentage; for example 2%"))?;
    if share <= 1.0 || text.ends_with('%') {
        return Ok(share);
    }
    // 1.1 is 110 %, and 1.1 times 100 is a little more than that.
    let percent = (share * 1e6).round() / 1e4;
    Err(format!("'{text}' would be {percent}%; write {text}% for {text} percent"))
}

/// Reads `NAME=VALUE`.
/// Errors: there is no name or no `=`, with an example.
pub fn parse_assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(format!("'{text}' is not NAME=VALUE; for example order=sorted")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_lists_and_ranges_each_once() {
        assert_eq!(parse_processors("3,0,2-3"), Ok(vec![0, 2, 3]));
        for text in ["", "x", "3-2", "0-99999", "1,,2", "-1"] {
            assert!(parse_processors(text).is_err_and(|refused| refused.contains("0,2-3")), "{text}");
        }
    }

    #[test]
    fn a_share_is_a_percentage_or_a_fraction() {
        assert_eq!((parse_share("2%"), parse_share("0.05")), (Ok(0.02), Ok(0.05)));
        assert_eq!((parse_share("1"), parse_share("150%")), (Ok(1.0), Ok(1.5)));
        let refused = parse_share("1.1").expect_err("a percentage or a factor");
        assert!(refused.starts_with("'1.1' would be 110%; write 1.1%"), "{refused}");
        for text in ["much", "NaN", "inf%", "", "%", "5"] {
            assert!(parse_share(text).is_err(), "{text}");
        }
        let refused = parse_share("5").expect_err("a percentage or a factor");
        assert!(refused.contains("500%") && refused.contains("write 5%"), "{refused}");
    }

    #[test]
    fn an_assignment_has_a_name() {
        assert_eq!(parse_assignment("pattern=a=b"), Ok(("pattern".to_owned(), "a=b".to_owned())));
        assert!(parse_assignment("=b").is_err() && parse_assignment("b").is_err());
    }
}
