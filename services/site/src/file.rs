//! A file of the build in all its encodings.

use std::path::Path;

use aws_lc_rs::digest;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};

/// A file and its compressed siblings.
pub(crate) struct File {
    /// Media type.
    pub(crate) kind: HeaderValue,
    /// The best encoding first, the plain bytes last.
    forms: Vec<Form>,
}

/// A file in one encoding.
pub(crate) struct Form {
    /// `Content-Encoding`; `None` for plain bytes.
    pub(crate) encoding: Option<&'static str>,
    /// Strong tag, a hash of the content, and therefore the same on every replica.
    pub(crate) etag: HeaderValue,
    pub(crate) bytes: Bytes,
}

/// The encodings of the build and their file extensions, smallest result first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

impl File {
    /// Loads a file and its compressed siblings.
    pub(crate) fn load(path: &Path) -> Result<Self, std::io::Error> {
        let mut forms = Vec::new();
        for (encoding, end) in ENCODINGS {
            let mut sibling = path.as_os_str().to_owned();
            sibling.push(end);
            match std::fs::read(&sibling) {
                Ok(bytes) => forms.push(Form::new(Some(encoding), bytes)?),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        forms.push(Form::new(None, std::fs::read(path)?)?);
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        Ok(Self { kind: HeaderValue::from_static(find_media_type(end)), forms })
    }

    /// Whether `path` is a compressed sibling of another file.
    pub(crate) fn is_sibling(path: &str) -> bool {
        ENCODINGS.iter().any(|(_, end)| path.ends_with(end))
    }

    /// Selects the encoding that the client prefers, or plain bytes if the client accepts none.
    pub(crate) fn select_form(&self, headers: &HeaderMap) -> &Form {
        let plain = &self.forms[self.forms.len() - 1];
        let mut best = (plain, 0);
        for form in &self.forms {
            let Some(encoding) = form.encoding else { continue };
            let wanted = find_weight(headers, encoding);
            if wanted > best.1 {
                best = (form, wanted);
            }
        }
        best.0
    }
}

impl Form {
    fn new(encoding: Option<&'static str>, bytes: Vec<u8>) -> Result<Self, std::io::Error> {
        let hash = digest::digest(&digest::SHA256, &bytes);
        let hash = BASE64_URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]);
        let etag = HeaderValue::try_from(format!("\"{hash}\"")).map_err(std::io::Error::other)?;
        Ok(Self { encoding, etag, bytes: bytes.into() })
    }

    /// Whether the client has this already (`If-None-Match`).
    pub(crate) fn is_cached(&self, headers: &HeaderMap) -> bool {
        split_list(headers, &header::IF_NONE_MATCH)
            .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == self.etag.as_bytes())
    }
}

/// The client's weight of an encoding (`Accept-Encoding`) in thousandths; 0 means not acceptable.
fn find_weight(headers: &HeaderMap, encoding: &str) -> u16 {
    let mut any = 0;
    for word in split_list(headers, &header::ACCEPT_ENCODING) {
        let (name, parameter) = word.split_once(';').unwrap_or((word, ""));
        let name = name.trim();
        let weight = parse_quality(parameter.trim());
        if name.eq_ignore_ascii_case(encoding) {
            return weight;
        }
        if name == "*" {
            any = weight;
        }
    }
    any
}

/// Parses `q=0.5` into thousandths. An empty parameter is 1,000, an invalid one 0.
fn parse_quality(parameter: &str) -> u16 {
    if parameter.is_empty() {
        return 1000;
    }
    let value = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
    let quality: f32 = value.and_then(|value| value.trim().parse().ok()).unwrap_or(0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000 after the clamp")]
    let thousandths = (quality.clamp(0.0, 1.0) * 1000.0) as u16;
    thousandths
}

/// The items of a list header, over all its lines.
fn split_list<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

/// Finds the media type of an extension. Browsers must not guess it (`nosniff`).
fn find_media_type(end: &str) -> &'static str {
    match end {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp4" => "video/mp4",
        "vtt" => "text/vtt; charset=utf-8",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))])
    }

    #[test]
    fn the_encoding_wanted_most_is_sent_and_brotli_among_equals() {
        let form = |encoding, text: &str| Form::new(encoding, text.into()).unwrap();
        let file = File {
            kind: HeaderValue::from_static("text/plain"),
            forms: vec![form(Some("br"), "b"), form(Some("gzip"), "g"), form(None, "plain")],
        };
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip", Some("gzip")),
            ("br;q=0.2, gzip;q=0.8", Some("gzip")),
            ("GZIP ; q=0.5", Some("gzip")),
            ("*", Some("br")),
            ("br;q=0, *", Some("gzip")),
            ("br;q=0, gzip;q=0", None),
            ("br;q=junk", None),
            ("identity", None),
            ("", None),
        ] {
            assert_eq!(file.select_form(&accepting(accepted)).encoding, expected, "{accepted}");
        }
        assert_eq!(file.select_form(&HeaderMap::new()).encoding, None);
    }

    #[test]
    fn a_tag_is_known_strong_weak_in_a_list_or_as_any() {
        let form = Form::new(None, b"x".into()).unwrap();
        let tag = form.etag.to_str().unwrap();
        for sent in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, sent.parse().unwrap())]);
            assert!(form.is_cached(&headers), "{sent}");
        }
        let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, "\"other\"".parse().unwrap())]);
        assert!(!form.is_cached(&headers));
    }
}
