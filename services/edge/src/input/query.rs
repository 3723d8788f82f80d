//! The query of a URL. Unknown parameters are ignored. A known parameter must be given once, with a valid
//! value.

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use forms::search::Words;
use http::request::Parts;
use serde::de::value::{self, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use uuid::Uuid;

use crate::error::Error;

/// Longest filter in characters.
const MAX_TEXT: usize = 100;
/// Largest number of values of an array.
const MAX_ARRAY: usize = 100;

/// The parameters of a request.
pub(crate) struct Query(String);

impl<State: Send + Sync> FromRequestParts<State> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &State) -> Result<Self, Infallible> {
        Ok(Self(parts.uri.query().unwrap_or_default().to_owned()))
    }
}

impl Query {
    /// `page`; 1 if absent.
    pub(crate) fn page(&self) -> Result<u32, Error> {
        let Some(text) = self.once("page").map_err(|_| Error::InvalidPage)? else { return Ok(1) };
        digits(&text).filter(|page| *page >= 1).ok_or(Error::InvalidPage)
    }

    /// An id, for example of a course.
    pub(crate) fn id(&self, name: &'static str) -> Result<Option<i64>, Error> {
        self.once(name)?.map(|text| parse_id(name, &text)).transpose()
    }

    /// Ids, for example `course[]`; empty if absent.
    pub(crate) fn ids(&self, name: &'static str) -> Result<Vec<i64>, Error> {
        self.each(name, |text| parse_id(name, &text))
    }

    /// An integer of at most `most`.
    pub(crate) fn whole(&self, name: &'static str, most: i32) -> Result<Option<i32>, Error> {
        let Some(text) = self.once(name)? else { return Ok(None) };
        let number: Option<i32> = digits(&text).filter(|number| *number <= most);
        number.map(Some).ok_or_else(|| Error::field(name, "OUT_OF_RANGE"))
    }

    /// A variant name of `Choice`.
    pub(crate) fn choice<Choice: DeserializeOwned>(
        &self,
        name: &'static str,
    ) -> Result<Option<Choice>, Error> {
        self.once(name)?.map(|text| parse_choice(name, &text)).transpose()
    }

    /// Variant names of `Choice`, for example `level[]`; empty if absent.
    pub(crate) fn choices<Choice: DeserializeOwned>(&self, name: &'static str) -> Result<Vec<String>, Error> {
        self.each(name, |text| parse_choice::<Choice>(name, &text).map(|_| text.into_owned()))
    }

    /// A search text with at least one word.
    pub(crate) fn words(&self, name: &'static str) -> Result<Option<String>, Error> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        Words::parse(&text).map_err(|wrong| Error::field(name, wrong.code()))?;
        Ok(Some(text))
    }

    /// `true`, `false`, `1` or `0`; false if absent.
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Error> {
        match self.once(name)?.as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(Error::field(name, "INVALID_FORMAT")),
        }
    }

    /// A UUID, for example of an account.
    pub(crate) fn uuid(&self, name: &'static str) -> Result<Option<Uuid>, Error> {
        let text = self.once(name)?;
        text.map(|text| text.parse().map_err(|_| Error::field(name, "INVALID_FORMAT"))).transpose()
    }

    /// A short text without control characters.
    pub(crate) fn text(&self, name: &'static str) -> Result<Option<String>, Error> {
        self.once(name)?.map(|text| parse_text(name, text)).transpose()
    }

    /// Such texts, for example `kind[]`; empty if absent.
    pub(crate) fn texts(&self, name: &'static str) -> Result<Vec<String>, Error> {
        self.each(name, |text| parse_text(name, text))
    }

    fn once(&self, name: &'static str) -> Result<Option<Cow<'_, str>>, Error> {
        let mut values = self.values(name);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Error::field(name, "INVALID_FORMAT")),
        }
    }

    fn each<'a, Value>(
        &'a self,
        name: &'static str,
        parse: impl Fn(Cow<'a, str>) -> Result<Value, Error>,
    ) -> Result<Vec<Value>, Error> {
        let values: Vec<Value> =
            self.values(name).take(MAX_ARRAY + 1).map(parse).collect::<Result<_, _>>()?;
        if values.len() > MAX_ARRAY { Err(Error::field(name, "TOO_LONG")) } else { Ok(values) }
    }

    fn values(&self, name: &'static str) -> impl Iterator<Item = Cow<'_, str>> {
        form_urlencoded::parse(self.0.as_bytes()).filter(move |(key, _)| key == name).map(|(_, value)| value)
    }
}

fn parse_id(name: &'static str, text: &str) -> Result<i64, Error> {
    digits(text).filter(|id| *id >= 1).ok_or_else(|| Error::field(name, "INVALID_FORMAT"))
}

fn parse_choice<Choice: DeserializeOwned>(name: &'static str, text: &str) -> Result<Choice, Error> {
    let text: StrDeserializer<'_, value::Error> = text.into_deserializer();
    Choice::deserialize(text).map_err(|_| Error::field(name, "UNKNOWN_CHOICE"))
}

fn parse_text(name: &'static str, text: Cow<'_, str>) -> Result<String, Error> {
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(Error::field(name, "INVALID_FORMAT"));
    }
    if text.chars().count() > MAX_TEXT {
        return Err(Error::field(name, "TOO_LONG"));
    }
    Ok(text.into_owned())
}

/// Parses a number in ASCII digits.
fn digits<Number: std::str::FromStr>(text: &str) -> Option<Number> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query(text.to_owned())
    }

    #[test]
    fn a_page_is_a_whole_number_from_one_that_fits() {
        assert_eq!(query("").page().unwrap(), 1);
        assert_eq!(query("page=4294967295").page().unwrap(), u32::MAX);
        assert_eq!(query("page=%32&unknown=x&page%5B%5D=9").page().unwrap(), 2);
        #[rustfmt::skip]
        let junk = [
            "page", "page=", "page=0", "page=-1", "page=%2B1", "page=1.0", "page=4294967296", "page=9223372036854775808",
            "page=%EF%BC%92", "page=%00", "page=1%00", "page=1&page=1", "page=%FF", "page=two",
        ];
        for text in junk {
            assert!(matches!(query(text).page(), Err(Error::InvalidPage)), "{text}");
        }
    }

    #[test]
    fn a_filter_is_right_or_refused() {
        let name = "lesson__unit__chapter__course";
        assert_eq!(query("").id(name).unwrap(), None);
        assert_eq!(query("lesson__unit__chapter__course=101").id(name).unwrap(), Some(101));
        for junk in [
            "",
            "0",
            "-1",
            "1e3",
            "9223372036854775808",
            "%EF%BC%91",
            "%00",
            "1&lesson__unit__chapter__course=1",
        ] {
            let junk = format!("{name}={junk}");
            assert!(matches!(query(&junk).id(name), Err(Error::Invalid(_))), "{junk}");
        }
        assert!(query("f=true").flag("f").unwrap() && query("f=1").flag("f").unwrap());
        assert!(!query("f=false").flag("f").unwrap() && !query("f=0").flag("f").unwrap());
        assert!(!query("").flag("f").unwrap());
        for junk in ["f=", "f=yes", "f=TRUE", "f=1&f=1"] {
            assert!(query(junk).flag("f").is_err(), "{junk}");
        }
        assert_eq!(query("").uuid("u").unwrap(), None);
        assert_eq!(query(&format!("u={}", Uuid::nil())).uuid("u").unwrap(), Some(Uuid::nil()));
        for junk in ["u=", "u=7", "u=%00", &format!("u={0}&u={0}", Uuid::nil())] {
            assert!(query(junk).uuid("u").is_err(), "{junk}");
        }
        assert_eq!(query("y=%E4%B8%AD1").text("y").unwrap().as_deref(), Some("中1"));
        for junk in ["y=", "y=%00", "y=%0A", "y=a&y=b"] {
            assert!(query(junk).text("y").is_err(), "{junk}");
        }
        assert!(query(&format!("y={}", "a".repeat(101))).text("y").is_err());
    }

    #[test]
    fn an_array_with_an_invalid_value_is_refused() {
        assert!(query("").ids("a[]").unwrap().is_empty());
        assert_eq!(query("a%5B%5D=2&b=x&a[]=1").ids("a[]").unwrap(), [2, 1]);
        assert_eq!(query("a[]=%E4%B8%AD1&a[]=b&a=c").texts("a[]").unwrap(), ["中1", "b"]);
        for junk in ["a[]", "a[]=", "a[]=1&a[]=", "a[]=%00", &"a[]=1&".repeat(101)] {
            assert!(query(junk).ids("a[]").is_err(), "{junk}");
            assert!(query(junk).texts("a[]").is_err(), "{junk}");
        }
        assert_eq!(query(&"a[]=1&".repeat(100)).ids("a[]").unwrap().len(), 100);
    }

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Color {
        LightBlue,
    }

    #[test]
    fn a_choice_is_a_known_variant() {
        assert!(query("").choice::<Color>("c").unwrap().is_none());
        assert!(matches!(query("c=light_blue").choice("c").unwrap(), Some(Color::LightBlue)));
        assert_eq!(query("c[]=light_blue").choices::<Color>("c[]").unwrap(), ["light_blue"]);
        for junk in ["", "LightBlue", "0", "light_blue%00", "null"] {
            assert!(query(&format!("c={junk}")).choice::<Color>("c").is_err(), "{junk}");
            let both = format!("c[]=light_blue&c[]={junk}");
            assert!(query(&both).choices::<Color>("c[]").is_err(), "{junk}");
        }
    }

    #[test]
    fn an_integer_is_in_range_and_a_search_text_has_a_word() {
        assert_eq!(query("n=0").whole("n", 9).unwrap(), Some(0));
        assert_eq!(query("n=9").whole("n", 9).unwrap(), Some(9));
        for junk in ["", "10", "-1", "1.0", "99999999999", "%EF%BC%91"] {
            assert!(query(&format!("n={junk}")).whole("n", 9).is_err(), "{junk}");
        }
        assert_eq!(query("q=+%E3%80%80a+").words("q").unwrap().as_deref(), Some(" \u{3000}a "));
        for junk in ["", "+", "%E3%80%80", "%00", &"a".repeat(101)] {
            assert!(query(&format!("q={junk}")).words("q").is_err(), "{junk}");
        }
    }
}
