//! The device cookie: set in browsers that signed in before.
//!
//! Auth creates and parses its value. Wrong passwords of the browser are counted separately. The cookie
//! grants no access.

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

pub(crate) const NAME: &str = "konomana-device";
/// One year. Auth refuses older values too.
const MAX_AGE_SECONDS: u32 = 365 * 24 * 60 * 60;
/// Longest value that is passed on, in bytes.
const VALUE_LIMIT: usize = 512;

/// Marks a response that sets a new value. The middleware writes the header.
#[derive(Clone)]
struct NewValue(String);

/// Sets this value with a response. Does nothing for an empty value.
pub(crate) fn give(answer: &mut Response, value: String) {
    if !value.is_empty() {
        answer.extensions_mut().insert(NewValue(value));
    }
}

/// Returns the header of a response that sets a value.
pub(crate) fn header(answer: &mut Response, is_secure: bool) -> Option<HeaderValue> {
    let NewValue(value) = answer.extensions_mut().remove()?;
    let secure = if is_secure { "; Secure" } else { "" };
    let attributes = "Path=/api/accounts/; HttpOnly; SameSite=Strict";
    format!("{NAME}={value}; Max-Age={MAX_AGE_SECONDS}; {attributes}{secure}").try_into().ok()
}

/// Returns the value of the cookie; empty unless there is exactly one.
pub(crate) fn value(headers: &HeaderMap) -> String {
    let mut found = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, value)| *name == NAME && value.len() <= VALUE_LIMIT)
        .map(|(_, value)| value);
    match (found.next(), found.next()) {
        (Some(value), None) => value.to_owned(),
        _ => String::new(),
    }
}

/// Whether a request has other cookies than this one.
pub(crate) fn has_others(headers: &HeaderMap) -> bool {
    let is_other = |pair: &str| pair.trim().split_once('=').map(|(name, _)| name) != Some(NAME);
    headers
        .get_all(header::COOKIE)
        .iter()
        .any(|line| line.to_str().map_or(true, |line| line.split(';').any(is_other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| (header::COOKIE, line.parse().unwrap())).collect()
    }

    #[test]
    fn exactly_one_value_within_the_length_limit_is_accepted() {
        let long = format!("{NAME}={}", "A".repeat(VALUE_LIMIT + 1));
        for (lines, wanted) in [
            (&["konomana-device=AB.cd"][..], "AB.cd"),
            (&["XSRF-TOKEN=x; konomana-device=AB; a=b"], "AB"),
            (&["XSRF-TOKEN=x", "konomana-device=AB"], "AB"),
            (&["konomana-device=AB; konomana-device=CD"], ""),
            (&["xkonomana-device=AB"], ""),
            (&[&long], ""),
            (&[], ""),
        ] {
            assert_eq!(value(&headers(lines)), wanted, "{lines:?}");
        }
    }

    #[test]
    fn other_cookies_are_detected() {
        for (lines, wanted) in [
            (&[][..], false),
            (&["konomana-device=AB"], false),
            (&["konomana-device=AB; a=b"], true),
            (&["konomana-device=AB", "a=b"], true),
            (&["konomana-device"], true),
            (&["=konomana-device=AB"], true),
            (&["Konomana-device=AB"], true),
        ] {
            assert_eq!(has_others(&headers(lines)), wanted, "{lines:?}");
        }
    }

    #[test]
    fn no_script_and_no_other_site_reads_or_sends_it() {
        let mut answer = Response::default();
        assert!(header(&mut answer, true).is_none());
        give(&mut answer, "AB.cd".to_owned());
        assert_eq!(
            header(&mut answer, true).unwrap(),
            "konomana-device=AB.cd; Max-Age=31536000; Path=/api/accounts/; HttpOnly; SameSite=Strict; Secure"
        );
        give(&mut answer, "AB".to_owned());
        assert!(!header(&mut answer, false).unwrap().to_str().unwrap().contains("Secure"));
    }
}
