//! The caller of a request: a verified access token, or 401.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;
use jsonwebtoken::{Algorithm, Validation};
use kit::caller::{Person, Scopes};
use kit::clock::Clock;
use quick_cache::sync::Cache;
use serde::Deserialize;
use uuid::Uuid;

use crate::Edge;
use crate::access::Access;
use crate::audience::Audience;
use crate::error::Error;
use crate::media::Holder;

/// Longest accepted token in bytes. Issued tokens have about 600.
const MAX_TOKEN: usize = 2048;
/// `typ` of access tokens; other JWTs have another.
const TYPE: &str = "at+jwt";
/// Accepted clock difference in seconds.
const LEEWAY: i64 = 5;
/// Number of verified tokens in the cache.
const TOKEN_CACHE_SIZE: usize = 10_000;

/// The person on whose behalf the edge calls a service.
pub(crate) trait OnBehalf {
    /// `None` for a call without a person.
    fn person(&self) -> Option<Person>;
}

/// A request without a caller.
pub(crate) struct Anonymous;

impl OnBehalf for Anonymous {
    fn person(&self) -> Option<Person> {
        None
    }
}

impl OnBehalf for Caller {
    fn person(&self) -> Option<Person> {
        Some(Person::new(self.0.user, self.0.session, self.0.scopes))
    }
}

impl OnBehalf for Learner {
    fn person(&self) -> Option<Person> {
        self.0.person()
    }
}

impl OnBehalf for Guardian {
    fn person(&self) -> Option<Person> {
        self.0.person()
    }
}

impl OnBehalf for Relative {
    fn person(&self) -> Option<Person> {
        self.0.person()
    }
}

/// A guardian acting for a child.
pub(crate) struct GuardianOf<'a> {
    guardian: &'a Guardian,
    child: Uuid,
}

impl OnBehalf for GuardianOf<'_> {
    fn person(&self) -> Option<Person> {
        self.guardian.person().map(|person| person.acting_for(self.child))
    }
}

/// A caller with an active session. For a route whose audience needs a token, the middleware has verified it.
#[derive(Clone)]
pub(crate) struct Caller(Arc<Verified>);

impl Caller {
    /// Account id: `sub` of the token.
    pub(crate) fn user(&self) -> Uuid {
        self.0.user
    }

    /// Session id: `sid` of the token.
    pub(crate) fn session(&self) -> Uuid {
        self.0.session
    }

    /// The scopes of the token.
    pub(crate) fn scopes(&self) -> Scopes {
        self.0.scopes
    }

    /// Fails unless the caller belongs to `audience`.
    fn require(self, audience: Audience) -> Result<Self, Error> {
        if audience.admits(self.scopes()) { Ok(self) } else { Err(Error::Forbidden) }
    }

    /// The caller, for a signed URL.
    pub(crate) fn holder(&self) -> Holder {
        Holder { session: self.session(), user: self.user(), scope: self.0.scope.clone() }
    }
}

impl FromRequestParts<Edge> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &Edge) -> Result<Self, Error> {
        parts.extensions.get::<Self>().cloned().ok_or(Error::Unauthenticated)
    }
}

/// A caller with scope `learner`.
pub(crate) struct Learner(Caller);

impl Learner {
    /// Account id, as a string for the services.
    pub(crate) fn id(&self) -> String {
        self.0.user().to_string()
    }

    /// Account id.
    pub(crate) fn user(&self) -> Uuid {
        self.0.user()
    }

    /// The learner, for a signed URL.
    pub(crate) fn holder(&self) -> Holder {
        self.0.holder()
    }
}

impl FromRequestParts<Edge> for Learner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, edge).await?;
        caller.require(Audience::Learner).map(Self)
    }
}

/// A caller with scope `guardian`.
pub(crate) struct Guardian(Caller);

impl Guardian {
    /// Returns the guardian acting for a child. The guardian's own account is 404.
    pub(crate) fn acting_for(&self, child: Uuid) -> Result<GuardianOf<'_>, Error> {
        if child == self.0.user() { Err(Error::NotFound) } else { Ok(GuardianOf { guardian: self, child }) }
    }

    /// Account id, as a string for the services.
    pub(crate) fn id(&self) -> String {
        self.0.user().to_string()
    }
}

impl FromRequestParts<Edge> for Guardian {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, edge).await?;
        caller.require(Audience::Guardian).map(Self)
    }
}

/// A caller on either side of a guardian's link: scope `learner` or `guardian`.
pub(crate) struct Relative(Caller);

impl Relative {
    /// Account id, as a string for the services.
    pub(crate) fn id(&self) -> String {
        self.0.user().to_string()
    }

    /// Whether the caller has the scope `learner`.
    pub(crate) fn is_learner(&self) -> bool {
        Audience::Learner.admits(self.0.scopes())
    }

    /// Whether the caller has the scope `guardian`.
    pub(crate) fn is_guardian(&self) -> bool {
        Audience::Guardian.admits(self.0.scopes())
    }
}

impl FromRequestParts<Edge> for Relative {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Error> {
        let caller = Caller::from_request_parts(parts, edge).await?;
        caller.require(Audience::LearnerOrGuardian).map(Self)
    }
}

/// The claims of a verified token. Times are seconds since 1970.
struct Verified {
    kid: String,
    user: Uuid,
    session: Uuid,
    scope: Vec<String>,
    /// The scopes, in the form of caller assertions.
    scopes: Scopes,
    not_before: i64,
    expires: i64,
}

/// Verifies access tokens.
pub(crate) struct Sessions {
    access: Access,
    validation: Validation,
    clock: Clock,
    /// By SHA-256 of the token. Time, revocation and keys are checked for every request.
    verified: Cache<[u8; 32], Arc<Verified>>,
}

impl Sessions {
    /// Creates a verifier of tokens with this issuer and audience.
    pub(crate) fn new(access: Access, issuer: &str, audience: &str, clock: Clock) -> Self {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        // Checked at every request, against the injected clock.
        validation.validate_exp = false;
        Self { access, validation, clock, verified: Cache::new(TOKEN_CACHE_SIZE) }
    }

    /// Returns the caller of the token in these headers. Anything except one valid token is 401.
    pub(crate) async fn caller(&self, headers: &HeaderMap) -> Result<Caller, Error> {
        let token = parse_token(headers).ok_or(Error::Unauthenticated)?;
        let digest = digest(token);
        let verified = if let Some(verified) = self.verified.get(&digest) {
            verified
        } else {
            let verified = Arc::new(self.verify(token).await?);
            self.verified.insert(digest, verified.clone());
            verified
        };
        let now = self.clock.now().unix_timestamp();
        if verified.not_before > now + LEEWAY || verified.expires <= now - LEEWAY {
            return Err(Error::Unauthenticated);
        }
        self.access.check(&verified.kid, verified.session).await?;
        Ok(Caller(verified))
    }

    /// Fails with 401 if the session has ended.
    pub(crate) async fn check_session(&self, session: Uuid) -> Result<(), Error> {
        self.access.check_session(session).await
    }

    /// Marks a session as ended on this edge, before auth publishes it.
    pub(crate) fn mark_ended(&self, session: Uuid) {
        self.access.mark_ended(session);
    }

    /// Accepts tokens of this key without auth.
    #[cfg(test)]
    pub(crate) fn trust_key(&self, kid: &str, ed25519: &[u8]) {
        self.access.trust_key(kid, ed25519);
    }

    async fn verify(&self, token: &str) -> Result<Verified, Error> {
        let refused = |_| Error::Unauthenticated;
        let kid = parse_key_id(token).ok_or(Error::Unauthenticated)?;
        let key = self.access.key(&kid).await?;
        let claims = jsonwebtoken::decode::<Claims>(token, &key, &self.validation).map_err(refused)?.claims;
        Ok(Verified {
            kid,
            user: claims.sub,
            session: claims.sid,
            scopes: Scopes::from_names(claims.scope.iter().map(String::as_str)),
            scope: claims.scope,
            not_before: claims.nbf,
            expires: claims.exp,
        })
    }
}

/// Returns the key id of a token; `None` if the header is not that of an access token.
pub(crate) fn parse_key_id(token: &str) -> Option<String> {
    let header = jsonwebtoken::decode_header(token).ok()?;
    let is_ours =
        header.typ.as_deref() == Some(TYPE) && header.alg == Algorithm::EdDSA && header.crit.is_none();
    header.kid.filter(|_| is_ours)
}

/// Claims of an access token. All are required.
#[derive(Deserialize)]
pub(crate) struct Claims {
    #[serde(rename = "iss")]
    _iss: String,
    #[serde(rename = "aud")]
    _aud: String,
    sub: Uuid,
    sid: Uuid,
    pub(crate) scope: Vec<String>,
    #[serde(rename = "iat")]
    _iat: i64,
    nbf: i64,
    exp: i64,
    #[serde(rename = "jti")]
    _jti: Uuid,
}

/// Returns the token of `Authorization: Bearer t` or `Authorization: t`; `None` unless there is exactly one.
pub(crate) fn parse_token(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    let value = value.to_str().ok()?;
    let token = match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token,
        Some(_) => return None,
        None => value,
    };
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_jwt = token.len() <= MAX_TOKEN
        && token.split('.').count() == 3
        && token.split('.').all(|part| !part.is_empty() && part.bytes().all(is_base64url));
    is_jwt.then_some(token)
}

fn digest(token: &str) -> [u8; 32] {
    let mut digest = [0; 32];
    digest.copy_from_slice(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, token.as_bytes()).as_ref());
    digest
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn parse(values: &[&[u8]]) -> Option<String> {
        let values = values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_bytes(value).unwrap()));
        parse_token(&values.collect()).map(str::to_owned)
    }

    #[test]
    fn a_token_is_taken_with_and_without_bearer() {
        for value in ["Bearer ab.c-d.e_f", "bearer ab.c-d.e_f", "ab.c-d.e_f"] {
            assert_eq!(parse(&[value.as_bytes()]).as_deref(), Some("ab.c-d.e_f"), "{value}");
        }
    }

    #[test]
    fn malformed_authorization_headers_have_no_token() {
        let long = format!("Bearer a.b.{}", "c".repeat(MAX_TOKEN));
        let junk: [&[u8]; 15] = [
            b"",
            b"Bearer",
            b"Bearer ",
            b"Bearer  a.b.c",
            b"Bearer a.b.c d",
            b"Basic a.b.c",
            b"Bearer Bearer a.b.c",
            b"Bearer,a.b.c",
            b"a.b",
            b"a.b.c.d",
            b"a..c",
            b"a.b.c=",
            "a.b.c\u{ff41}".as_bytes(),
            b"a.b.\xff",
            long.as_bytes(),
        ];
        for value in junk {
            assert_eq!(parse(&[value]), None, "{:?}", String::from_utf8_lossy(value));
        }
        assert_eq!(parse(&[b"a.b.c", b"a.b.c"]), None);
        assert_eq!(parse(&[]), None);
    }
}
