//! A response cache for JSON values: a value that is the same for every learner is serialized and compressed once, and
//! copied into each response.
//!
//! A compressed response is one zlib stream (RFC 1950; `Content-Encoding: deflate`). Deflate blocks can be
//! concatenated, and the checksum of the whole follows from the checksums of the parts. So a cached value is only
//! copied, whatever surrounds it. gzip would work as well, but its checksum costs more than the copying. A compressed
//! response must contain neither input of the request nor a secret, because its length would reveal something about
//! them.
//!
//! `cargo dev bench --only response-cache` measures it against compression of the whole body, on a real inventory page.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::{Compress, Compression, FlushCompress};
use http::{HeaderMap, HeaderValue, header};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use simd_adler32::adler32;

/// A window of 32 KiB, best compression.
const ZLIB_HEADER: [u8; 2] = [0x78, 0xda];
/// An empty final block.
const ZLIB_END: [u8; 5] = [1, 0, 0, 0xff, 0xff];
/// Maximum length of a stored block.
const STORED_LIMIT: usize = 0xffff;
/// Estimated bytes of the text between two cached values.
const USUAL_TEXT: usize = 512;

/// A serialized JSON value, plain and compressed.
pub struct CachedJson {
    plain: Box<RawValue>,
    /// Complete deflate blocks without references to earlier data.
    packed: Box<[u8]>,
    sum: Adler,
}

impl CachedJson {
    /// Serializes and compresses `value`.
    ///
    /// # Errors
    ///
    /// If `value` cannot be represented as JSON, such as a map whose keys are not text.
    pub fn new(value: &impl Serialize) -> serde_json::Result<Self> {
        let plain = to_raw_value(value)?;
        let packed = pack(plain.get().as_bytes()).map_err(serde::ser::Error::custom)?;
        let sum = Adler::from_bytes(plain.get().as_bytes());
        Ok(Self { plain, packed, sum })
    }

    /// Memory size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.plain.get().len() + self.packed.len()
    }
}

impl Serialize for CachedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.plain.serialize(serializer)
    }
}

/// Compresses to complete blocks, none of them final.
fn pack(plain: &[u8]) -> Result<Box<[u8]>, flate2::CompressError> {
    let mut packed = Vec::with_capacity(plain.len() / 2 + 64);
    let mut compress = Compress::new(Compression::best(), false);
    loop {
        let taken = usize::try_from(compress.total_in()).unwrap_or(plain.len());
        compress.compress_vec(&plain[taken..], &mut packed, FlushCompress::Full)?;
        // The buffer is not full, so all output has been written.
        if packed.len() < packed.capacity() {
            return Ok(packed.into());
        }
        packed.reserve(plain.len().max(64));
    }
}

/// A JSON response assembled from new text and cached values.
#[derive(Default)]
pub struct AssembledJson<'a> {
    /// All texts, concatenated.
    texts: Vec<u8>,
    /// The cached values, each with its position in `texts`.
    pieces: Vec<(usize, &'a CachedJson)>,
}

impl<'a> AssembledJson<'a> {
    /// Adds a text.
    pub fn push_text(&mut self, text: &str) {
        self.texts.extend_from_slice(text.as_bytes());
    }

    /// Adds an object with the fields of `value`, at least one, without the closing brace.
    ///
    /// # Errors
    ///
    /// If `value` cannot be represented as JSON.
    pub fn push_fields(&mut self, value: &impl Serialize) -> serde_json::Result<()> {
        serde_json::to_writer(&mut self.texts, value)?;
        let end = self.texts.pop();
        debug_assert_eq!(end, Some(b'}'), "an object with fields");
        Ok(())
    }

    /// Adds a cached value.
    pub fn push_cached(&mut self, piece: &'a CachedJson) {
        self.pieces.push((self.texts.len(), piece));
    }

    /// The response to a request with these headers, compressed if the client accepts deflate.
    #[must_use]
    pub fn into_answer(self, asked: &HeaderMap) -> Response {
        let packs = accepts_deflate(asked);
        let body = if packs { self.to_deflate() } else { self.to_plain() };
        let mut answer = Bytes::from(body).into_response();
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if packs {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("deflate"));
        }
        answer
    }

    /// The uncompressed body.
    #[must_use]
    pub fn to_plain(&self) -> Vec<u8> {
        let size: usize = self.pieces.iter().map(|(_, piece)| piece.plain.get().len()).sum();
        let mut body = Vec::with_capacity(size + self.texts.len());
        for (text, piece) in self.tiles() {
            body.extend_from_slice(text);
            body.extend_from_slice(piece.map_or(&[], |piece| piece.plain.get().as_bytes()));
        }
        body
    }

    /// The body in deflate encoding.
    #[must_use]
    pub fn to_deflate(&self) -> Vec<u8> {
        let size: usize = self.pieces.iter().map(|(_, piece)| piece.packed.len() + USUAL_TEXT).sum();
        let mut body = Vec::with_capacity(size + USUAL_TEXT);
        body.extend_from_slice(&ZLIB_HEADER);
        let mut sum = Adler::from_bytes(&[]);
        for (text, piece) in self.tiles() {
            store(&mut body, text);
            sum = sum.then(Adler::from_bytes(text));
            if let Some(piece) = piece {
                body.extend_from_slice(&piece.packed);
                sum = sum.then(piece.sum);
            }
        }
        body.extend_from_slice(&ZLIB_END);
        body.extend_from_slice(&sum.value().to_be_bytes());
        body
    }

    /// Iterates over each cached value with the text before it, and the text after the last.
    fn tiles(&self) -> impl Iterator<Item = (&[u8], Option<&'a CachedJson>)> {
        let ends = self.pieces.iter().map(|&(end, piece)| (end, Some(piece)));
        let mut start = 0;
        ends.chain([(self.texts.len(), None)]).map(move |(end, piece)| {
            let text = &self.texts[start..end];
            start = end;
            (text, piece)
        })
    }
}

/// Appends text as stored blocks. Compressing a short text takes longer than sending it.
fn store(body: &mut Vec<u8>, text: &[u8]) {
    for block in text.chunks(STORED_LIMIT) {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        body.push(0);
        body.extend_from_slice(&length.to_le_bytes());
        body.extend_from_slice(&(!length).to_le_bytes());
        body.extend_from_slice(block);
    }
}

/// Whether Accept-Encoding lists deflate with a quality above 0.
fn accepts_deflate(asked: &HeaderMap) -> bool {
    asked
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|coding| {
            let (name, quality) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let quality = quality.trim().strip_prefix("q=")?.parse::<f32>().ok()?;
            Some((name.trim(), quality))
        })
        .any(|(name, quality)| name.eq_ignore_ascii_case("deflate") && quality > 0.0)
}

/// An Adler-32 checksum (RFC 1950), which can be combined.
#[derive(Clone, Copy)]
struct Adler {
    /// The two sums of Adler-32: 1 plus all bytes, and the sum of that value after each byte. Both modulo `MODULUS`.
    a: u32,
    b: u32,
    /// Number of bytes, modulo `MODULUS`.
    length: u32,
}

impl Adler {
    const MODULUS: u32 = 65_521;

    fn from_bytes(bytes: &[u8]) -> Self {
        let sum = adler32(&bytes);
        let length = bytes.len() % Self::MODULUS as usize;
        Self { a: sum & 0xffff, b: sum >> 16, length: u32::try_from(length).unwrap_or_default() }
    }

    /// The checksum of these bytes followed by those of `those`.
    fn then(self, those: Self) -> Self {
        let modulus = u64::from(Self::MODULUS);
        // The sums of `those` began at 1; in the concatenation they begin at `self.a`.
        let begun = u64::from(self.a) + modulus - 1;
        let a = (begun + u64::from(those.a)) % modulus;
        let b = (u64::from(self.b) + u64::from(those.b) + begun * u64::from(those.length)) % modulus;
        let narrow = |sum: u64| u32::try_from(sum).unwrap_or_default();
        Self { a: narrow(a), b: narrow(b), length: (self.length + those.length) % Self::MODULUS }
    }

    fn value(self) -> u32 {
        (self.b << 16) | self.a
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any};
    use proptest::{prop_assert_eq, prop_oneof, proptest};
    use serde_json::{Value, json};

    use super::*;

    /// Decodes the body like a browser. The decoder verifies the checksum.
    fn unpacked(body: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        ZlibDecoder::new(body).read_to_end(&mut plain).unwrap();
        plain
    }

    fn asking(codings: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(codings))])
    }

    #[test]
    fn compressed_and_plain_bodies_are_equal() {
        // Incompressible, and longer than one window.
        let noise = |n: u32| char::from_u32(0x4e00 + (n.wrapping_mul(2_654_435_761) >> 18)).unwrap();
        let long = CachedJson::new(&(0..200_000).map(noise).collect::<String>()).unwrap();
        let short = CachedJson::new(&json!({ "id": 1 })).unwrap();
        let mut assembled = AssembledJson::default();
        assembled.push_fields(&json!({ "text": "x".repeat(150_000) })).unwrap();
        assembled.push_text(",\"results\":[");
        for piece in [&short, &long, &short] {
            assembled.push_cached(piece);
            assembled.push_text(",");
        }
        assembled.push_text("null]}");
        let plain = assembled.to_plain();
        assert_eq!(unpacked(&assembled.to_deflate()), plain);
        let value: Value = serde_json::from_slice(&plain).unwrap();
        assert_eq!(value["results"][2], json!({ "id": 1 }));
        assert_eq!(value["results"][1].as_str().unwrap().chars().count(), 200_000);
    }

    #[test]
    fn a_body_may_have_no_cached_value_or_be_empty() {
        assert_eq!(unpacked(&AssembledJson::default().to_deflate()), b"");
        let mut assembled = AssembledJson::default();
        assembled.push_text("[]");
        assert_eq!(unpacked(&assembled.to_deflate()), b"[]");
    }

    /// A text between cached values, or a cached value.
    #[derive(Clone, Debug)]
    enum Part {
        Text(String),
        Cached(String),
    }

    /// Most texts are short. Some are longer than a stored block, and some values are longer than a window.
    fn text() -> impl Strategy<Value = String> {
        let any_text = || any::<String>();
        let repeated = (any_text(), 0..30_000_usize)
            .prop_map(|(text, times)| text.chars().cycle().take(times).collect::<String>());
        prop_oneof![8 => any_text(), 1 => repeated]
    }

    fn parts() -> impl Strategy<Value = Vec<Part>> {
        vec(prop_oneof![text().prop_map(Part::Text), text().prop_map(Part::Cached)], 0..12)
    }

    proptest! {
        #[test]
        fn any_assembled_body_is_one_zlib_stream(parts in parts()) {
            let cached: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    Part::Text(_) => None,
                    Part::Cached(value) => Some(CachedJson::new(value).unwrap()),
                })
                .collect();
            let (mut assembled, mut wanted) = (AssembledJson::default(), String::new());
            for (part, cached) in parts.iter().zip(&cached) {
                match (part, cached) {
                    (_, Some(cached)) => {
                        assembled.push_cached(cached);
                        wanted.push_str(cached.plain.get());
                    }
                    (Part::Text(text) | Part::Cached(text), None) => {
                        assembled.push_text(text);
                        wanted.push_str(text);
                    }
                }
            }
            prop_assert_eq!(assembled.to_plain(), wanted.as_bytes());
            let body = assembled.to_deflate();
            prop_assert_eq!(unpacked(&body), wanted.as_bytes());
            // The decoder must have consumed the whole body.
            let mut decoder = ZlibDecoder::new(&*body);
            std::io::copy(&mut decoder, &mut std::io::sink()).unwrap();
            prop_assert_eq!(decoder.total_in(), body.len() as u64);
            let sum = adler32(&wanted.as_bytes()).to_be_bytes();
            prop_assert_eq!(&body[body.len() - 4..], sum);
        }

        #[test]
        fn checksums_of_parts_combine_to_that_of_the_whole(parts in vec(vec(any::<u8>(), 0..200), 0..8)) {
            let sum = parts.iter().fold(Adler::from_bytes(&[]), |sum, part| sum.then(Adler::from_bytes(part)));
            let whole = parts.concat();
            prop_assert_eq!(sum.value(), adler32(&&*whole));
            prop_assert_eq!(sum.length as usize, whole.len() % Adler::MODULUS as usize);
        }
    }

    #[test]
    fn a_body_is_compressed_if_the_client_accepts_deflate() {
        for (codings, packed) in [
            ("gzip, deflate, br, zstd", true),
            ("gzip;q=1.0, Deflate ; q=0.5", true),
            ("deflate;q=0", false),
            ("deflate;q=maybe", false),
            ("gzip, br", false),
            ("identity", false),
        ] {
            let answer = AssembledJson::default().into_answer(&asking(codings));
            assert_eq!(answer.headers().contains_key(header::CONTENT_ENCODING), packed, "{codings}");
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
        }
    }
}
