//! Tests of forms.

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
        Err(Error::Invalid(fields)) => fields.iter().map(|field| field.code.to_string()).collect::<Vec<_>>(),
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
