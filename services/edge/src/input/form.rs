//! Forms: the fields of a JSON object, each checked as it is taken out.

use std::borrow::Cow;

use kit::error::FieldError;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::error::Error;

/// Largest number of unknown fields that an error names.
const MAX_UNKNOWN_NAMES: usize = 20;

/// Largest integer that JavaScript represents exactly.
pub(crate) const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// A type that is parsed from the fields of a JSON body.
pub(crate) trait Form: Sized {
    /// Takes the fields of this type out of `fields`. Returns `None` if one is invalid; `fields` has noted
    /// its error.
    fn from_fields(fields: &mut Fields) -> Option<Self>;
}

/// Parses a JSON object with exactly the fields of a form. The error names every invalid field.
pub(crate) fn parse_form<Parsed: Form>(body: &[u8]) -> Result<Parsed, Error> {
    let object: Map<String, Value> = serde_json::from_slice(body).map_err(|_| Error::MalformedJson)?;
    let mut fields = Fields { object, wrong: Vec::new() };
    let form = Parsed::from_fields(&mut fields);
    for (unknown, _) in std::mem::take(&mut fields.object).into_iter().take(MAX_UNKNOWN_NAMES) {
        fields.note(shorten(unknown), "UNKNOWN_FIELD");
    }
    match form {
        Some(form) if fields.wrong.is_empty() => Ok(form),
        _ => Err(Error::Invalid(fields.wrong)),
    }
}

/// Shortens a field name of the client to 64 characters.
fn shorten(name: String) -> String {
    if name.chars().count() > 64 { name.chars().take(64).collect() } else { name }
}

/// The fields of a body that are not taken yet.
pub(crate) struct Fields {
    object: Map<String, Value>,
    wrong: Vec<FieldError>,
}

impl Fields {
    /// Takes a text of 1 to `longest` characters without NUL, as typed.
    pub(crate) fn text(&mut self, name: &'static str, longest: usize) -> Option<String> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(Value::String(text)) if text.is_empty() => "REQUIRED",
            Some(Value::String(text)) if text.contains('\0') => "INVALID_FORMAT",
            Some(Value::String(text)) if text.chars().count() > longest => "TOO_LONG",
            Some(Value::String(text)) => return Some(text),
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Takes such a text. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional(&mut self, name: &'static str, longest: usize) -> Option<Option<String>> {
        self.nullable(name, |fields| fields.text(name, longest))
    }

    /// Takes a boolean.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(Value::Bool(flag)) => return Some(flag),
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Takes a boolean that may be absent or null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_flag(&mut self, name: &'static str) -> Option<Option<bool>> {
        self.nullable(name, |fields| fields.flag(name))
    }

    /// Takes an integer from 0 to `most`.
    pub(crate) fn whole(&mut self, name: &'static str, most: i64) -> Option<i64> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(Value::Number(number)) => match within(&number, most) {
                Some(number) => return Some(number),
                None => "OUT_OF_RANGE",
            },
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Takes an integer from 0 to `most`. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_whole(&mut self, name: &'static str, most: i64) -> Option<Option<i64>> {
        self.nullable(name, |fields| fields.whole(name, most))
    }

    /// Takes at most `many` pairs of integers from 0 to `most`. The second of a pair must not be less than
    /// the first.
    pub(crate) fn intervals(&mut self, name: &'static str, many: usize, most: i64) -> Option<Vec<[i64; 2]>> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(Value::Array(pairs)) if pairs.len() > many => "TOO_LONG",
            Some(Value::Array(pairs)) => match pairs.iter().map(|pair| interval(pair, most)).collect() {
                Ok(intervals) => return Some(intervals),
                Err(wrong) => wrong,
            },
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Takes at most `many` ids. The list may be empty.
    pub(crate) fn ids(&mut self, name: &'static str, many: usize) -> Option<Vec<i64>> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(Value::Array(ids)) if ids.len() > many => "TOO_LONG",
            Some(Value::Array(ids)) => {
                let ids = ids.iter().map(|id| id.as_i64().filter(|id| (1..=MAX_SAFE_INTEGER).contains(id)));
                match ids.collect() {
                    Some(ids) => return Some(ids),
                    None => "INVALID_FORMAT",
                }
            }
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Whether a field of this name exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// Takes a UUID.
    pub(crate) fn uuid(&mut self, name: &'static str) -> Option<Uuid> {
        let parsed = self.text(name, 36)?.parse().ok();
        if parsed.is_none() {
            self.note(name, "INVALID_FORMAT");
        }
        parsed
    }

    /// Takes a time in RFC 3339.
    pub(crate) fn time(&mut self, name: &'static str) -> Option<OffsetDateTime> {
        let parsed = OffsetDateTime::parse(&self.text(name, 64)?, &Rfc3339).ok();
        if parsed.is_none() {
            self.note(name, "INVALID_FORMAT");
        }
        parsed
    }

    /// Takes a UUID. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_uuid(&mut self, name: &'static str) -> Option<Option<Uuid>> {
        self.nullable(name, |fields| fields.uuid(name))
    }

    /// Takes a JSON object, and serializes it again.
    pub(crate) fn object(&mut self, name: &'static str) -> Option<String> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(object @ Value::Object(_)) => return Some(object.to_string()),
            Some(_) => "INVALID_FORMAT",
        };
        self.note(name, wrong);
        None
    }

    /// Takes a value that serde deserializes.
    pub(crate) fn nested<Nested: DeserializeOwned>(&mut self, name: &'static str) -> Option<Nested> {
        let wrong = match self.object.remove(name) {
            None | Some(Value::Null) => "REQUIRED",
            Some(value) => match serde_json::from_value(value) {
                Ok(nested) => return Some(nested),
                Err(_) => "INVALID_FORMAT",
            },
        };
        self.note(name, wrong);
        None
    }

    /// Takes a value that serde parses, e.g. a list of objects. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_nested<Nested: DeserializeOwned>(
        &mut self,
        name: &'static str,
    ) -> Option<Option<Nested>> {
        self.nullable(name, |fields| fields.nested(name))
    }

    /// Takes an id. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_id(&mut self, name: &'static str) -> Option<Option<i64>> {
        self.nullable(name, |fields| fields.id(name))
    }

    /// Takes a boolean. False for a missing field and null.
    pub(crate) fn flag_or_false(&mut self, name: &'static str) -> Option<bool> {
        self.optional_flag(name).map(Option::unwrap_or_default)
    }

    /// Takes a text of at most `longest` characters, as typed. It may be empty.
    pub(crate) fn text_or_empty(&mut self, name: &'static str, longest: usize) -> Option<String> {
        match self.object.get(name) {
            Some(Value::String(text)) if text.is_empty() => {
                self.object.remove(name);
                Some(String::new())
            }
            _ => self.text(name, longest),
        }
    }

    /// Takes an id that is not null.
    fn id(&mut self, name: &'static str) -> Option<i64> {
        let id = self.object.remove(name).and_then(|value| value.as_i64()).filter(|id| *id >= 1);
        if id.is_none() {
            self.note(name, "INVALID_FORMAT");
        }
        id
    }

    /// Takes a value with `take`. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    fn nullable<Taken>(
        &mut self,
        name: &'static str,
        take: impl FnOnce(&mut Self) -> Option<Taken>,
    ) -> Option<Option<Taken>> {
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(None)
            }
            Some(_) => take(self).map(Some),
        }
    }

    /// Notes the error of a field.
    pub(crate) fn note(&mut self, name: impl Into<Cow<'static, str>>, code: &'static str) {
        self.wrong.push(FieldError { name: name.into(), code: code.into() });
    }
}

/// Returns the number if it is an integer from 0 to `most`.
fn within(number: &Number, most: i64) -> Option<i64> {
    number.as_i64().filter(|number| (0..=most).contains(number))
}

fn interval(pair: &Value, most: i64) -> Result<[i64; 2], &'static str> {
    let Some([Value::Number(from), Value::Number(to)]) = pair.as_array().map(Vec::as_slice) else {
        return Err("INVALID_FORMAT");
    };
    match (within(from, most), within(to, most)) {
        (Some(from), Some(to)) if from <= to => Ok([from, to]),
        _ => Err("OUT_OF_RANGE"),
    }
}

#[cfg(test)]
mod tests;
