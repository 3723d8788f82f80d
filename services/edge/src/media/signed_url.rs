//! Signed URLs of files. Each is valid for one session, one lesson or course, and two hours. The URL of a
//! video belongs to one stream and ends with it.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kit::clock::Clock;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Format version: the first byte of the signed content.
const VERSION: u8 = 3;
/// Length of version, kind, session, learner, id, stream and expiry. The scope follows. Only the URL of a
/// lesson has a stream.
const BODY: usize = 1 + 1 + 16 + 16 + 8 + 16 + 8;
const SIGNATURE: usize = 32;
/// Prefixes of the names of handout files.
const HANDOUTS: [&str; 4] = ["textbook.", "textbook/", "whiteboard.", "whiteboard/"];

/// The files that a URL opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The video of a lesson and its captions and poster, as long as the stream is active.
    Lesson { id: i64, stream: Uuid },
    /// The handouts of a lesson.
    Handouts(i64),
    /// The bundles of a course.
    Course(i64),
}

impl Part {
    /// Returns the folder of the files.
    pub(crate) fn folder(self) -> String {
        match self {
            Self::Lesson { id, .. } | Self::Handouts(id) => format!("lesson/{id}/"),
            Self::Course(id) => format!("course/{id}/"),
        }
    }

    /// Whether the URL opens the file at `path`.
    pub(crate) fn holds(self, path: &str) -> bool {
        let Some(name) = path.strip_prefix(&self.folder()) else { return false };
        match self {
            Self::Handouts(_) => HANDOUTS.iter().any(|start| name.starts_with(start)),
            Self::Lesson { .. } | Self::Course(_) => true,
        }
    }
}

/// The caller that a URL was signed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    /// The URL ends with this session.
    pub(crate) session: Uuid,
    /// The account.
    pub(crate) user: Uuid,
    /// Scopes of the account.
    pub(crate) scope: Vec<String>,
}

/// The content of a signed URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignedUrl {
    pub(crate) holder: Holder,
    pub(crate) part: Part,
    /// Seconds since 1970.
    pub(crate) expires: i64,
}

/// Signs URLs and verifies signed ones.
pub(crate) struct UrlSigner {
    key: hmac::Key,
    lifetime: Duration,
    clock: Clock,
}

impl UrlSigner {
    /// Creates a signer whose URLs are valid for `lifetime`.
    pub(crate) fn new(key: &str, lifetime: Duration, clock: Clock) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()), lifetime, clock }
    }

    /// Signs a URL for the signer's lifetime, but not beyond `end`. Returns the signed part and its expiry.
    pub(crate) fn sign(
        &self,
        holder: Holder,
        part: Part,
        end: Option<OffsetDateTime>,
    ) -> (String, OffsetDateTime) {
        let last = self.clock.now() + self.lifetime;
        let expires = end.map_or(last, |end| end.min(last)).replace_nanosecond(0).unwrap_or(last);
        let url = SignedUrl { holder, part, expires: expires.unix_timestamp() };
        (self.encode(&url), expires)
    }

    fn encode(&self, url: &SignedUrl) -> String {
        let (kind, id, stream) = match url.part {
            Part::Lesson { id, stream } => (b'l', id, Some(stream)),
            Part::Handouts(id) => (b'h', id, None),
            Part::Course(id) => (b'c', id, None),
        };
        let scope = url.holder.scope.join(" ");
        let mut bytes = Vec::with_capacity(BODY + scope.len() + SIGNATURE);
        bytes.extend_from_slice(&[VERSION, kind]);
        bytes.extend_from_slice(url.holder.session.as_bytes());
        bytes.extend_from_slice(url.holder.user.as_bytes());
        bytes.extend_from_slice(&id.to_be_bytes());
        if let Some(stream) = stream {
            bytes.extend_from_slice(stream.as_bytes());
        }
        bytes.extend_from_slice(&url.expires.to_be_bytes());
        bytes.extend_from_slice(scope.as_bytes());
        bytes.extend_from_slice(hmac::sign(&self.key, &bytes).as_ref());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the content of the signed part of a URL; `None` if the signature is not valid.
    pub(crate) fn verify(&self, text: &str) -> Option<SignedUrl> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, signature) = bytes.split_at_checked(bytes.len().checked_sub(SIGNATURE)?)?;
        hmac::verify(&self.key, body, signature).ok()?;
        let ([VERSION, kind], body) = body.split_first_chunk()? else { return None };
        let (session, body) = body.split_first_chunk()?;
        let (user, body) = body.split_first_chunk()?;
        let (id, body) = body.split_first_chunk()?;
        let id = i64::from_be_bytes(*id);
        let (part, body) = match kind {
            b'l' => {
                let (stream, body) = body.split_first_chunk()?;
                (Part::Lesson { id, stream: Uuid::from_bytes(*stream) }, body)
            }
            b'h' => (Part::Handouts(id), body),
            b'c' => (Part::Course(id), body),
            _ => return None,
        };
        let (expires, scope) = body.split_first_chunk()?;
        let scope = std::str::from_utf8(scope).ok()?.split_whitespace().map(str::to_owned).collect();
        let holder = Holder { session: Uuid::from_bytes(*session), user: Uuid::from_bytes(*user), scope };
        Some(SignedUrl { holder, part, expires: i64::from_be_bytes(*expires) })
    }

    /// Whether the URL has expired.
    pub(crate) fn has_expired(&self, url: &SignedUrl) -> bool {
        url.expires <= self.clock.now().unix_timestamp()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);

    const STREAM: Uuid = Uuid::from_u128(3);

    /// The video files of a lesson.
    fn lesson(id: i64) -> Part {
        Part::Lesson { id, stream: STREAM }
    }

    fn signer(key: &str) -> UrlSigner {
        UrlSigner::new(key, Duration::hours(2), Clock::new(|| NOW))
    }

    fn holder() -> Holder {
        let scope = vec!["learner".to_owned(), "staff:content".to_owned()];
        Holder { session: Uuid::from_u128(1), user: Uuid::from_u128(2), scope }
    }

    #[test]
    fn a_signed_url_is_accepted_as_it_was_signed_and_only_by_its_key() {
        let (ours, others) = (signer("a key of 32 bytes for the tests"), signer("another key of the tests"));
        for part in [lesson(101_010_101), Part::Handouts(101_010_101), Part::Course(101)] {
            let (text, expires) = ours.sign(holder(), part, None);
            assert_eq!(expires, NOW + Duration::hours(2));
            let url = SignedUrl { holder: holder(), part, expires: expires.unix_timestamp() };
            assert_eq!(ours.verify(&text), Some(url));
            assert_eq!(others.verify(&text), None);
            for place in 0..text.len() {
                let mut bytes = text.clone().into_bytes();
                bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
                assert_eq!(ours.verify(std::str::from_utf8(&bytes).unwrap()), None, "{place}");
            }
            for junk in [&text[1..], &format!("{text}A"), &format!("{text}="), ""] {
                assert_eq!(ours.verify(junk), None, "{junk}");
            }
        }
    }

    #[test]
    fn a_signed_url_expires_after_its_lifetime_or_at_the_given_end() {
        let signer = signer("a key of 32 bytes for the tests");
        let until = |end| signer.sign(holder(), lesson(1), Some(end)).1;
        assert_eq!(until(NOW + Duration::HOUR), NOW + Duration::HOUR);
        assert_eq!(until(NOW + Duration::DAY), NOW + Duration::hours(2));
        let url = |expires| SignedUrl { holder: holder(), part: lesson(1), expires };
        let now = NOW.unix_timestamp();
        assert!(signer.has_expired(&url(now)) && !signer.has_expired(&url(now + 1)));
    }

    #[test]
    fn a_part_opens_only_files_of_its_folder_and_kind() {
        assert!(lesson(1).holds("lesson/1/a.mp4") && Part::Course(1).holds("course/1/a.pdf"));
        assert!(!lesson(1).holds("lesson/10/a.mp4") && !lesson(1).holds("course/1/a.pdf"));
        let handouts = Part::Handouts(1);
        for (path, is_held) in [
            ("lesson/1/textbook.pdf", true),
            ("lesson/1/textbook/1.png", true),
            ("lesson/1/whiteboard.pdf", true),
            ("lesson/1/whiteboard/12.png", true),
            ("lesson/1/textbook2.pdf", false),
            ("lesson/1/master.m3u8", false),
            ("lesson/1/360p/0.m4s", false),
            ("lesson/10/textbook.pdf", false),
            ("course/1/textbook.pdf", false),
        ] {
            assert_eq!(handouts.holds(path), is_held, "{path}");
        }
    }
}
