//! Protection against cross-site request forgery: checks the origin of writes, and the XSRF-TOKEN cookie
//! against the header that repeats it.

use aws_lc_rs::hmac;
use aws_lc_rs::rand::{SecureRandom as _, SystemRandom};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use subtle::ConstantTimeEq as _;

use crate::answer::is_safe;
use crate::device_cookie;
use crate::error::Error;

/// The readable cookie, `<nonce>.<HMAC-SHA-256 of the nonce>`, both base64url.
const COOKIE: &str = "XSRF-TOKEN";
/// The header that repeats it.
const HEADER: &str = "x-xsrf-token";
const NONCE_BYTES: usize = 16;

/// Checks the origin and the token of writes.
pub(crate) struct Csrf {
    key: hmac::Key,
    random: SystemRandom,
    origins: Vec<String>,
}

impl Csrf {
    /// Creates the check. Only `origins` may write; the first is the public origin.
    pub(crate) fn new(secret: &str, origins: Vec<String>) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()),
            random: SystemRandom::new(),
            origins,
        }
    }

    /// Refuses writes from another site, and writes with cookies but without the token in the header. The
    /// device cookie alone does not count as a cookie.
    pub(crate) fn check(&self, head: &Parts) -> Result<(), Error> {
        if is_safe(&head.method) {
            return Ok(());
        }
        let headers = &head.headers;
        let is_ours = |origin: &HeaderValue| self.origins.iter().any(|ours| origin == ours.as_str());
        let foreign = !headers.get_all(header::ORIGIN).iter().all(is_ours);
        let cross_site = headers.get_all("sec-fetch-site").iter().any(|site| site == "cross-site");
        if foreign || cross_site {
            return Err(Error::OriginForbidden);
        }
        // The device cookie outlives the XSRF-TOKEN cookie. It is no proof of identity, and browsers
        // send it only from our own site.
        if !device_cookie::has_others(headers) {
            return Ok(());
        }
        let cookie = self.cookie(headers).ok_or(Error::CsrfFailed)?;
        let mut repeated = headers.get_all(HEADER).iter();
        match (repeated.next(), repeated.next()) {
            (Some(header), None) if bool::from(header.as_bytes().ct_eq(cookie.as_bytes())) => Ok(()),
            _ => Err(Error::CsrfFailed),
        }
    }

    /// Returns a new cookie if the request has no valid one.
    pub(crate) fn new_cookie(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.cookie(headers).is_some() {
            return None;
        }
        let mut nonce = [0; NONCE_BYTES];
        self.random.fill(&mut nonce).ok()?;
        let mac = hmac::sign(&self.key, &nonce);
        let secure = if self.is_secure() { "; Secure" } else { "" };
        let cookie = format!(
            "{COOKIE}={}.{}; Path=/; SameSite=Lax{secure}",
            URL_SAFE_NO_PAD.encode(nonce),
            URL_SAFE_NO_PAD.encode(mac)
        );
        cookie.try_into().ok()
    }

    /// Whether every origin uses https.
    pub(crate) fn is_secure(&self) -> bool {
        self.origins.iter().all(|origin| origin.starts_with("https://"))
    }

    /// Returns the cookie if there is exactly one with a valid signature.
    fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let mut found = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(name, _)| *name == COOKIE)
            .map(|(_, value)| value);
        let (cookie, None) = (found.next()?, found.next()) else { return None };
        let (nonce, mac) = cookie.split_once('.')?;
        let nonce = URL_SAFE_NO_PAD.decode(nonce).ok().filter(|nonce| nonce.len() == NONCE_BYTES)?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        hmac::verify(&self.key, &nonce, &mac).ok()?;
        Some(cookie)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://www.konomana.jp";
    const FURTHER: &str = "https://app.konomana.jp";

    type Headers<'a> = &'a [(&'a str, &'a str)];

    fn csrf() -> Csrf {
        Csrf::new("0123456789abcdef0123456789abcdef", vec![ORIGIN.to_owned(), FURTHER.to_owned()])
    }

    fn cookie(csrf: &Csrf) -> String {
        let set = csrf.new_cookie(&HeaderMap::new()).unwrap();
        set.to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    fn head(method: &str, headers: Headers<'_>) -> Parts {
        let request = http::Request::builder().method(method);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(()).unwrap().into_parts().0
    }

    fn code(outcome: &Result<(), Error>) -> &'static str {
        match outcome {
            Ok(()) => "passes",
            Err(Error::CsrfFailed) => "CSRF_FAILED",
            Err(Error::OriginForbidden) => "ORIGIN_FORBIDDEN",
            Err(_) => "another error",
        }
    }

    #[test]
    fn writes_pass_from_our_own_site_only() {
        let csrf = csrf();
        let good = cookie(&csrf);
        let token = good.split_once('=').unwrap().1;
        let forged = cookie(&Csrf::new("another secret of thirty-two bytes", vec![ORIGIN.to_owned()]));
        let forged_token = forged.split_once('=').unwrap().1;
        let other = cookie(&csrf);
        let twice = format!("{good}; {other}");
        let with_device = format!("konomana-device=AB; {good}");
        let among = format!("theme=dark; {good}; a=b");
        #[rustfmt::skip]
        let table: [(&str, Headers<'_>, &str); 28] = [
            ("POST", &[], "passes"),
            ("POST", &[("origin", ORIGIN)], "passes"),
            ("POST", &[("origin", ORIGIN), ("sec-fetch-site", "same-origin")], "passes"),
            ("POST", &[("sec-fetch-site", "none")], "passes"),
            ("POST", &[("origin", FURTHER)], "passes"),
            ("POST", &[("origin", "https://evil.example")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("origin", "https://www.konomana.jp.evil.example")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("origin", "http://www.konomana.jp")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("origin", "null")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("origin", ORIGIN), ("origin", "https://evil.example")], "ORIGIN_FORBIDDEN"),
            ("PUT", &[("sec-fetch-site", "cross-site")], "ORIGIN_FORBIDDEN"),
            ("GET", &[("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")], "passes"),
            ("HEAD", &[("cookie", "a=b")], "passes"),
            ("POST", &[("cookie", "a=b")], "CSRF_FAILED"),
            ("POST", &[("cookie", "konomana-device=AB")], "passes"),
            ("POST", &[("cookie", "konomana-device=AB"), ("origin", "https://evil.example")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("cookie", "konomana-device=AB"), ("sec-fetch-site", "cross-site")], "ORIGIN_FORBIDDEN"),
            ("POST", &[("cookie", "konomana-device=AB; a=b")], "CSRF_FAILED"),
            ("POST", &[("cookie", &with_device)], "CSRF_FAILED"),
            ("POST", &[("cookie", &good)], "CSRF_FAILED"),
            ("POST", &[("cookie", &good), ("x-xsrf-token", token)], "passes"),
            ("DELETE", &[("cookie", &among), ("x-xsrf-token", token)], "passes"),
            ("POST", &[("cookie", "a=b"), ("cookie", &good), ("x-xsrf-token", token)], "passes"),
            ("POST", &[("cookie", &other), ("x-xsrf-token", token)], "CSRF_FAILED"),
            ("POST", &[("cookie", &twice), ("x-xsrf-token", token)], "CSRF_FAILED"),
            ("POST", &[("cookie", &good), ("x-xsrf-token", token), ("x-xsrf-token", token)], "CSRF_FAILED"),
            ("POST", &[("cookie", &forged), ("x-xsrf-token", forged_token)], "CSRF_FAILED"),
            ("POST", &[("cookie", "XSRF-TOKEN=."), ("x-xsrf-token", ".")], "CSRF_FAILED"),
        ];
        for (method, headers, wanted) in table {
            assert_eq!(code(&csrf.check(&head(method, headers))), wanted, "{method} {headers:?}");
        }
    }

    #[test]
    fn a_cookie_is_issued_unless_the_request_has_a_valid_one() {
        let csrf = csrf();
        let set = csrf.new_cookie(&HeaderMap::new()).unwrap();
        assert!(set.to_str().unwrap().ends_with("; Path=/; SameSite=Lax; Secure"));
        let with = |cookie: &str| HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())]);
        assert!(csrf.new_cookie(&with(&cookie(&csrf))).is_none());
        assert!(csrf.new_cookie(&with("XSRF-TOKEN=made.up")).is_some());
        let plain = Csrf::new("0123456789abcdef0123456789abcdef", vec!["http://127.0.0.1:8080".to_owned()]);
        assert!(!plain.new_cookie(&HeaderMap::new()).unwrap().to_str().unwrap().contains("Secure"));
    }
}
