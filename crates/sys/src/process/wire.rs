//! Names and bytes that may not be text cross a pipe as JSON without loss: as a string where they are text, else in the system's units.

use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::de::DeserializeAsWrap;
use serde_with::ser::SerializeAsWrap;
use serde_with::{DeserializeAs, SerializeAs};

/// A name, a path or bytes.
pub(super) struct Text;

#[derive(Deserialize)]
#[serde(untagged)]
enum Form<T> {
    Text(String),
    Units(T),
}

/// A type, the one in which its units are written, and how they and the text are got.
macro_rules! text_or_units {
    ($($own:ty, $units:ty: $text:expr, $get:expr;)*) => {$(
        impl SerializeAs<$own> for Text {
            fn serialize_as<S: Serializer>(own: &$own, to: S) -> Result<S::Ok, S::Error> {
                let (text, units): (Option<&str>, _) = ($text(own), $get(own));
                if let Some(text) = text { text.serialize(to) } else { units.serialize(to) }
            }
        }

        impl<'de> DeserializeAs<'de, $own> for Text {
            fn deserialize_as<D: Deserializer<'de>>(from: D) -> Result<$own, D::Error> {
                Ok(match Form::<$units>::deserialize(from)? {
                    Form::Text(text) => text.into(),
                    Form::Units(units) => units.into(),
                })
            }
        }
    )*};
}

text_or_units! {
    OsString, OsString: OsStr::to_str, OsString::as_os_str;
    PathBuf, OsString: Path::to_str, Path::as_os_str;
    Vec<u8>, Vec<u8>: |own| std::str::from_utf8(own).ok(), Vec::as_slice;
}

pub(super) struct Each<Form>(PhantomData<Form>);

impl<T, Form: SerializeAs<T>> SerializeAs<Vec<T>> for Each<Form> {
    fn serialize_as<S: Serializer>(all: &Vec<T>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(all.iter().map(SerializeAsWrap::<T, Form>::new))
    }
}

impl<'de, T, Form: DeserializeAs<'de, T>> DeserializeAs<'de, Vec<T>> for Each<Form> {
    fn deserialize_as<D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        let all = Vec::<DeserializeAsWrap<T, Form>>::deserialize(from)?;
        Ok(all.into_iter().map(DeserializeAsWrap::into_inner).collect())
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
        let (stdout, stderr) = (b"[1,2]".to_vec(), vec![0xff, 0, 10]);
        let ended = Ended { elapsed_ns: u64::MAX, stdout, stderr, ..Ended::new(Status::Exit(0)) };
        let line = serde_json::to_string(&ended).expect("plain data");
        assert_eq!(serde_json::from_str::<Ended>(&line).expect("our own"), ended);
    }
}
