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
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(None)
            }
            Some(_) => self.text(name, longest).map(Some),
        }
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
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(None)
            }
            Some(_) => self.flag(name).map(Some),
        }
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
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(None)
            }
            Some(_) => self.whole(name, most).map(Some),
        }
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
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(None)
            }
            Some(_) => self.uuid(name).map(Some),
        }
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

    /// Takes an id. `None` for a missing field and null.
    #[expect(clippy::option_option, reason = "invalid, absent, present")]
    pub(crate) fn optional_id(&mut self, name: &'static str) -> Option<Option<i64>> {
        match self.object.remove(name) {
            None | Some(Value::Null) => Some(None),
            Some(value) => {
                let id = value.as_i64().filter(|id| *id >= 1);
                if id.is_none() {
                    self.note(name, "INVALID_FORMAT");
                }
                id.map(Some)
            }
        }
    }

    /// Takes a boolean. False for a missing field and null.
    pub(crate) fn flag_or_false(&mut self, name: &'static str) -> Option<bool> {
        match self.object.get(name) {
            None | Some(Value::Null) => {
                self.object.remove(name);
                Some(false)
            }
            Some(_) => self.flag(name),
        }
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
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Pair(String, String);

    impl Form for Pair {
        fn from_fields(fields: &mut Fields) -> Option<Self> {
            let (one, two) = (fields.text("one", 5), fields.text("two", 5));
            Some(Self(one?, two?))
        }
    }

    fn outcome(body: &str) -> String {
        match parse_form::<Pair>(body.as_bytes()) {
            Ok(Pair(one, two)) => format!("{one} {two}"),
            Err(Error::Invalid(fields)) => {
                let fields = fields.iter().map(|field| format!("{} {}", field.name, field.code));
                fields.collect::<Vec<_>>().join(", ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let malformed = "the body is not a JSON object";
        let deep = format!("{{\"one\":{}", "[".repeat(30_000));
        #[rustfmt::skip]
        let table = [
            (r#"{"one":"あいうえお","two":"b"}"#, "あいうえお b"),
            (r"{}", "one REQUIRED, two REQUIRED"),
            (r#"{"one":null,"two":""}"#, "one REQUIRED, two REQUIRED"),
            (r#"{"one":1,"two":["b"]}"#, "one INVALID_FORMAT, two INVALID_FORMAT"),
            (r#"{"one":"a\u0000","two":"123456"}"#, "one INVALID_FORMAT, two TOO_LONG"),
            (r#"{"one":"a","two":"b","three":1,"four":{}}"#, "four UNKNOWN_FIELD, three UNKNOWN_FIELD"),
            (r#"{"one":"\ud800","two":"b"}"#, malformed),
            ("", malformed),
            ("[]", malformed),
            ("null", malformed),
            ("\"one\"", malformed),
            ("{\"one\":\"a\"", malformed),
            (&deep, malformed),
        ];
        for (body, wanted) in table {
            assert_eq!(outcome(body), wanted, "{}", &body[..body.len().min(60)]);
        }
        assert!(matches!(parse_form::<Pair>(b"{\"one\":\"\xff\",\"two\":\"b\"}"), Err(Error::MalformedJson)));
    }

    #[test]
    fn empty_texts_null_and_booleans_are_parsed() {
        #[derive(Debug, PartialEq)]
        struct All(String, Option<String>, bool);
        impl Form for All {
            fn from_fields(fields: &mut Fields) -> Option<Self> {
                let (a, b) = (fields.text_or_empty("a", 2), fields.optional("b", 2));
                let c = fields.flag("c");
                Some(Self(a?, b?, c?))
            }
        }
        let good = |body: &[u8]| parse_form::<All>(body).unwrap();
        assert_eq!(good(br#"{"a":"","b":null,"c":false}"#), All(String::new(), None, false));
        assert_eq!(good(br#"{"a":"x","b":"y","c":true}"#), All("x".to_owned(), Some("y".to_owned()), true));
        let wrong = |body: &[u8]| match parse_form::<All>(body) {
            Err(Error::Invalid(fields)) => {
                fields.iter().map(|field| field.code.to_string()).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(wrong(b"{}"), ["REQUIRED"; 2]);
        assert_eq!(wrong(br#"{"a":null,"b":"","c":null}"#), ["REQUIRED"; 3]);
        assert_eq!(wrong(br#"{"a":1,"b":2,"c":"true"}"#), ["INVALID_FORMAT"; 3]);
        assert_eq!(wrong(br#"{"a":"xxx","b":"yyy","c":true}"#), ["TOO_LONG"; 2]);
    }

    #[test]
    fn a_time_is_parsed_as_rfc_3339() {
        struct At(OffsetDateTime);
        impl Form for At {
            fn from_fields(fields: &mut Fields) -> Option<Self> {
                fields.time("at").map(Self)
            }
        }
        let parse = |at: &str| parse_form::<At>(format!("{{\"at\":\"{at}\"}}").as_bytes());
        for at in ["2026-11-20T03:00:00.5Z", "2026-11-20T12:00:00.500+09:00"] {
            assert_eq!(parse(at).unwrap().0.unix_timestamp_nanos(), 1_795_143_600_500_000_000, "{at}");
        }
        for junk in ["", "2026-11-20", "2026-11-20T03:00:00", "1795143600", "2026-13-01T00:00:00Z"] {
            assert!(parse(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn ids_are_positive_and_limited_in_number() {
        struct Ids(Vec<i64>);
        impl Form for Ids {
            fn from_fields(fields: &mut Fields) -> Option<Self> {
                fields.ids("ids", 2).map(Self)
            }
        }
        let outcome = |ids: &str| match parse_form(format!("{{\"ids\":{ids}}}").as_bytes()) {
            Ok(Ids(ids)) => format!("{ids:?}"),
            Err(Error::Invalid(fields)) => fields[0].code.to_string(),
            Err(error) => error.to_string(),
        };
        for (ids, wanted) in [
            ("[]", "[]"),
            ("[1,9007199254740991]", "[1, 9007199254740991]"),
            ("[1,2,3]", "TOO_LONG"),
            ("[0]", "INVALID_FORMAT"),
            ("[9007199254740992]", "INVALID_FORMAT"),
            ("[1.5]", "INVALID_FORMAT"),
            ("[\"1\"]", "INVALID_FORMAT"),
            ("1", "INVALID_FORMAT"),
            ("null", "REQUIRED"),
        ] {
            assert_eq!(outcome(ids), wanted, "{ids}");
        }
    }

    #[test]
    fn numbers_are_integers_in_range_and_intervals_do_not_run_backward() {
        struct Played(i64, Vec<[i64; 2]>);
        impl Form for Played {
            fn from_fields(fields: &mut Fields) -> Option<Self> {
                let (at, watched) = (fields.whole("at", 9), fields.intervals("watched", 2, 9));
                Some(Self(at?, watched?))
            }
        }
        let outcome = |at: &str, watched: &str| match parse_form(
            format!("{{\"at\":{at},\"watched\":{watched}}}").as_bytes(),
        ) {
            Ok(Played(at, watched)) => format!("{at} {watched:?}"),
            Err(Error::Invalid(fields)) => {
                let fields = fields.iter().map(|field| format!("{} {}", field.name, field.code));
                fields.collect::<Vec<_>>().join(", ")
            }
            Err(error) => error.to_string(),
        };
        #[rustfmt::skip]
        let table = [
            ("9", "[[0,9],[3,3]]", "9 [[0, 9], [3, 3]]"),
            ("0", "[]", "0 []"),
            ("null", "null", "at REQUIRED, watched REQUIRED"),
            ("10", "[[0,10]]", "at OUT_OF_RANGE, watched OUT_OF_RANGE"),
            ("-1", "[[3,2]]", "at OUT_OF_RANGE, watched OUT_OF_RANGE"),
            ("1.5", "[[0,1.5]]", "at OUT_OF_RANGE, watched OUT_OF_RANGE"),
            ("9223372036854775808", "[[-1,2]]", "at OUT_OF_RANGE, watched OUT_OF_RANGE"),
            ("\"1\"", "[[0,\"1\"]]", "at INVALID_FORMAT, watched INVALID_FORMAT"),
            ("[]", "[[0]]", "at INVALID_FORMAT, watched INVALID_FORMAT"),
            ("{}", "[[0,1,2]]", "at INVALID_FORMAT, watched INVALID_FORMAT"),
            ("true", "[0,1]", "at INVALID_FORMAT, watched INVALID_FORMAT"),
            ("1", "[[0,1],[1,2],[2,3]]", "watched TOO_LONG"),
        ];
        for (at, watched, wanted) in table {
            assert_eq!(outcome(at, watched), wanted, "{at} {watched}");
        }
    }
}
