//! A line of either direction, read as the launcher and its program read it: an entry for those who check that no line
//! can break them and that nothing is lost on the way.

use std::io;

use super::{Refusal, Request};
use crate::process::Ended;

/// What a line says.
#[derive(Debug, PartialEq)]
pub struct Message(Said);

#[derive(Debug, PartialEq)]
enum Said {
    Request(Request),
    Answer(Box<Result<Ended, Refusal>>),
}

impl Message {
    /// Reads a request or an answer.
    ///
    /// # Errors
    /// It is neither.
    pub fn read(line: &str) -> io::Result<Self> {
        if let Ok(request) = serde_json::from_str(line) {
            return Ok(Self(Said::Request(request)));
        }
        Ok(Self(Said::Answer(serde_json::from_str(line)?)))
    }

    /// Writes it as it crosses the pipe, without the end of the line.
    ///
    /// # Errors
    /// Never on plain data.
    pub fn to_line(&self) -> io::Result<String> {
        Ok(match &self.0 {
            Said::Request(request) => serde_json::to_string(request)?,
            Said::Answer(answer) => serde_json::to_string(answer)?,
        })
    }
}
