//! How what may not be text crosses a pipe as JSON without loss: as a string where it is text, since a list of
//! numbers is four times as long, else in the system's own units.

use std::ffi::{OsStr, OsString};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form<T> {
    Text(String),
    Units(T),
}

fn form(name: &OsStr) -> Form<&OsStr> {
    match name.to_str() {
        Some(text) => Form::Text(text.to_owned()),
        None => Form::Units(name),
    }
}

fn name(form: Form<OsString>) -> OsString {
    match form {
        Form::Text(text) => text.into(),
        Form::Units(units) => units,
    }
}

/// One name.
pub(super) mod os {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(word: &OsStr, to: S) -> Result<S::Ok, S::Error> {
        form(word).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OsString, D::Error> {
        Form::deserialize(from).map(name)
    }
}

/// A list of names.
pub(super) mod list {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(words: &[OsString], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(words.iter().map(|word| form(word)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<OsString>, D::Error> {
        Ok(Vec::<Form<OsString>>::deserialize(from)?.into_iter().map(name).collect())
    }
}

/// A list of names with their values.
pub(super) mod pairs {
    use super::*;

    type Pair = (OsString, OsString);

    pub(in super::super) fn serialize<S: Serializer>(pairs: &[Pair], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(pairs.iter().map(|(key, value)| (form(key), form(value))))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Pair>, D::Error> {
        let pairs = Vec::<(Form<OsString>, Form<OsString>)>::deserialize(from)?;
        Ok(pairs.into_iter().map(|(key, value)| (name(key), name(value))).collect())
    }
}

/// A path.
pub(super) mod path {
    use std::path::{Path, PathBuf};

    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        form(path.as_os_str()).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        Form::deserialize(from).map(|form| name(form).into())
    }
}

/// A path or none.
pub(super) mod optional_path {
    use std::path::PathBuf;

    use super::*;

    #[expect(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(in super::super) fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        path.as_ref().map(|path| form(path.as_os_str())).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Form<OsString>>::deserialize(from)?.map(|form| name(form).into()))
    }
}

/// Bytes.
pub(super) mod bytes {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.serialize(to),
            Err(_) => bytes.serialize(to),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        Ok(match Form::deserialize(from)? {
            Form::Text(text) => text.into_bytes(),
            Form::Units(bytes) => bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::process::{Ended, Input, Launch, Status};

    #[test]
    fn a_launch_reads_as_text_and_comes_back_the_same() {
        let launch = Launch {
            arguments: vec!["a \"word\"\n".into(), "ü".into()],
            environment: vec![("KEY".into(), "value".into())],
            directory: Some("/some/folder".into()),
            input: Input::File("/some/file".into()),
            ..Launch::new("program")
        };
        let line = serde_json::to_string(&launch).expect("plain data");
        assert!(line.contains(r#""program":"program""#) && line.contains(r#"["KEY","value"]"#), "{line}");
        assert!(!line.contains('\n'), "a request is one line");
        assert_eq!(serde_json::from_str::<Launch>(&line).expect("our own"), launch);
    }

    #[test]
    fn bytes_come_back_the_same_whether_they_are_text_or_not() {
        let ended = Ended {
            status: Status::Exit(0),
            elapsed_ns: u64::MAX,
            usage: model::Usage::default(),
            stdout: b"[1,2]".to_vec(),
            stderr: vec![0xff, 0, 10],
            survivors: 0,
            counted_by: String::new(),
        };
        let line = serde_json::to_string(&ended).expect("plain data");
        assert_eq!(serde_json::from_str::<Ended>(&line).expect("our own"), ended);
    }
}
