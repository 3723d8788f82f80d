//! Entry points of the fuzz targets in `services/fuzz`; nothing else uses them. Each parses untrusted bytes
//! and panics if an invariant is violated.

use aws_lc_rs::hmac;
use axum::extract::FromRequestParts as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::FutureExt as _;
use http::header::{AUTHORIZATION, RANGE};
use http::{HeaderMap, HeaderValue, Request};
use kit::clock::Clock;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use crate::input::{Fields, Form, Query, parse_form};
use crate::media::{ByteRange, UrlSigner, parse_range};
use crate::session::{self, Claims};

const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);
const URL_KEY: &str = "the key of the fuzz target";

/// An `Authorization` header. An accepted token has three parts of base64url, and its header names a key or
/// is refused.
pub fn access_token(data: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(data) else { return };
    let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
    let Some(token) = session::parse_token(&headers) else { return };
    assert_eq!(token.split('.').count(), 3);
    assert!(token.bytes().all(|byte| byte.is_ascii_graphic()));
    if let Some(kid) = session::parse_key_id(token) {
        assert!(kid.len() <= token.len());
    }
    // The server reads claims only after it verified the signature; here they are read without.
    if let Ok(read) = jsonwebtoken::dangerous::insecure_decode::<Claims>(token) {
        assert!(read.claims.scope.iter().map(String::len).sum::<usize>() <= token.len());
    }
}

/// The signed part of a media URL, as received and with a valid signature. Only the latter is accepted.
pub fn media_ticket(data: &[u8]) {
    let signer = UrlSigner::new(URL_KEY, Duration::hours(2), Clock::new(|| NOW));
    if let Ok(text) = std::str::from_utf8(data) {
        assert!(signer.verify(text).is_none(), "a URL without a valid signature was accepted");
    }
    let key = hmac::Key::new(hmac::HMAC_SHA256, URL_KEY.as_bytes());
    let mut bytes = data.to_vec();
    bytes.extend_from_slice(hmac::sign(&key, data).as_ref());
    if let Some(url) = signer.verify(&URL_SAFE_NO_PAD.encode(bytes)) {
        let folder = url.part.folder();
        assert!(url.part.holds(&format!("{folder}textbook.pdf")));
        assert!(!url.part.holds("lesson/"));
        let _ = signer.has_expired(&url);
    }
}

/// A `Range` header. The first eight bytes are the size of the file, the rest is the header.
pub fn range_header(data: &[u8]) {
    let Some((size, value)) = data.split_first_chunk() else { return };
    let Ok(value) = HeaderValue::from_bytes(value) else { return };
    let size = u64::from_be_bytes(*size);
    if let ByteRange::Part(range) = parse_range(&HeaderMap::from_iter([(RANGE, value)]), size) {
        assert!(range.start < range.end && range.end <= size, "{range:?} of {size}");
    }
}

/// A form with a field of each kind.
struct Everything {
    text: String,
    optional: Option<String>,
    whole: i64,
    intervals: Vec<[i64; 2]>,
    id: Option<i64>,
    ids: Vec<i64>,
}

impl Form for Everything {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let text = fields.text("text", 10);
        let optional = fields.optional("optional", 10);
        let flag = fields.flag("flag");
        let whole = fields.whole("whole", 100);
        let intervals = fields.intervals("watched", 20, 1_000);
        let uuid = fields.optional_uuid("uuid");
        let id = fields.optional_id("id");
        let ids = fields.ids("ids", 20);
        flag?;
        uuid?;
        Some(Self {
            text: text?,
            optional: optional?,
            whole: whole?,
            intervals: intervals?,
            id: id?,
            ids: ids?,
        })
    }
}

/// The bytes as a query, then as a body. Accepted values are within their limits.
pub fn query_and_form(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(request) = Request::builder().uri(format!("/?{text}")).body(())
    {
        let mut parts = request.into_parts().0;
        let Some(Ok(query)) = Query::from_request_parts(&mut parts, &()).now_or_never() else { return };
        assert!(query.page().is_ok_and(|page| page >= 1) || query.page().is_err());
        assert!(
            query.ids("a[]").is_ok_and(|ids| ids.len() <= 100 && ids.iter().all(|id| *id >= 1))
                || query.ids("a[]").is_err()
        );
        for text in query.texts("a[]").into_iter().flatten().chain(query.text("y").into_iter().flatten()) {
            assert!((1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control));
        }
        let _ = (query.words("q"), query.flag("f"), query.whole("n", 9), query.id("page"));
    }
    if let Ok(form) = parse_form::<Everything>(data) {
        let shown = |text: &str| (1..=10).contains(&text.chars().count()) && !text.contains('\0');
        assert!(shown(&form.text) && form.optional.as_deref().is_none_or(shown));
        assert!((0..=100).contains(&form.whole) && form.id.is_none_or(|id| id >= 1));
        assert!(form.ids.len() <= 20 && form.ids.iter().all(|id| *id >= 1));
        assert!(form.intervals.len() <= 20);
        assert!(form.intervals.iter().all(|[from, to]| 0 <= *from && from <= to && *to <= 1_000));
    }
}
