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

/// Ours are about 600 bytes long.
const MAX_TOKEN: usize = 2048;
/// The `typ` that tells an access token from every other JWT.
const TYPE: &str = "at+jwt";
/// How far two clocks may differ, in seconds.
const LEEWAY: i64 = 5;
/// Verified tokens in the cache.
const REMEMBERED: usize = 10_000;

/// The person on whose behalf the edge calls a service.
pub(crate) trait OnBehalf {
    /// `None` for a call on behalf of no one.
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

/// A guardian who acts for a child.
pub(crate) struct GuardianOf<'a> {
    guardian: &'a Guardian,
    child: Uuid,
}

impl OnBehalf for GuardianOf<'_> {
    fn person(&self) -> Option<Person> {
        self.guardian.person().map(|person| person.acting_for(self.child))
    }
}

/// A caller with a live session. The middleware has verified the token, for a route whose audience needs one.
#[derive(Clone)]
pub(crate) struct Caller(Arc<Verified>);

impl Caller {
    /// The account: the `sub` of the token.
    pub(crate) fn user(&self) -> Uuid {
        self.0.user
    }

    /// The session: the `sid` of the token.
    pub(crate) fn session(&self) -> Uuid {
        self.0.session
    }

    /// The scopes of the token.
    pub(crate) fn scopes(&self) -> Scopes {
        self.0.scopes
    }

    /// The same caller as a member of `audience`, which the type of an extractor stands for.
    fn require(self, audience: Audience) -> Result<Self, Error> {
        if audience.admits(self.scopes()) { Ok(self) } else { Err(Error::Forbidden) }
    }

    /// The caller as a signed URL names it.
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

/// A caller who learns: scope `learner`.
pub(crate) struct Learner(Caller);

impl Learner {
    /// The account, as the services know it.
    pub(crate) fn id(&self) -> String {
        self.0.user().to_string()
    }

    /// The account.
    pub(crate) fn user(&self) -> Uuid {
        self.0.user()
    }

    /// As an address of files names them.
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

/// A caller who looks after learners: scope `guardian`.
pub(crate) struct Guardian(Caller);

impl Guardian {
    /// The guardian acting for a child. The guardian's own account is 404.
    pub(crate) fn acting_for(&self, child: Uuid) -> Result<GuardianOf<'_>, Error> {
        if child == self.0.user() { Err(Error::NotFound) } else { Ok(GuardianOf { guardian: self, child }) }
    }

    /// The account, as the services know it.
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

/// A caller at either end of a link: scope `learner` or `guardian`.
pub(crate) struct Relative(Caller);

impl Relative {
    /// The account, as the services know it.
    pub(crate) fn id(&self) -> String {
        self.0.user().to_string()
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
    /// The same, as caller assertions carry them.
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
    /// Accepts tokens of this issuer for this audience.
    pub(crate) fn new(access: Access, issuer: &str, audience: &str, clock: Clock) -> Self {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[audience]);
        // Against the clock that is given, at every request.
        validation.validate_exp = false;
        Self { access, validation, clock, verified: Cache::new(REMEMBERED) }
    }

    /// The caller whose token these headers have. Anything but one well-formed, live token is 401.
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

    /// 401 once the session has ended.
    pub(crate) async fn check_session(&self, session: Uuid) -> Result<(), Error> {
        self.access.check_session(session).await
    }

    /// Ends a session on this edge at once.
    pub(crate) fn mark_ended(&self, session: Uuid) {
        self.access.mark_ended(session);
    }

    /// Accepts tokens of this key without auth.
    #[cfg(test)]
    pub(crate) fn believe(&self, kid: &str, ed25519: &[u8]) {
        self.access.believe(kid, ed25519);
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

/// The key id of a token; `None` when its header is not that of an access token.
pub(crate) fn parse_key_id(token: &str) -> Option<String> {
    let header = jsonwebtoken::decode_header(token).ok()?;
    let is_ours =
        header.typ.as_deref() == Some(TYPE) && header.alg == Algorithm::EdDSA && header.crit.is_none();
    header.kid.filter(|_| is_ours)
}

/// All of them are required, each of just this type.
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

/// The token of `Authorization: Bearer t` or `Authorization: t`; `None` where there is anything else than one.
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
    fn anything_else_is_no_token() {
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
