//! Sessions: a login and all tokens refreshed from it.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use crate::error::Error;
use crate::token::{self, RefreshToken};

/// Stored length of a `User-Agent` header, in characters.
const USER_AGENT_LIMIT: usize = 256;
/// Used refresh tokens stored for a live session. An older one is recognized by its tag.
const USED_KEPT: i64 = 50;
/// Live sessions of one account.
const LIVING_LIMIT: i64 = 50;
/// Sessions in a list: all live ones and the latest ended ones. An export is one gRPC message of at most 4 MiB.
const LISTED: i64 = 1_000;

/// A live session.
pub(crate) struct Session {
    pub(crate) sid: Uuid,
    pub(crate) account: Uuid,
    pub(crate) scope: Vec<String>,
    pub(crate) expires_at: OffsetDateTime,
    /// The next token to present.
    pub(crate) refresh_token: RefreshToken,
}

/// The browser that signs in.
pub(crate) struct Browser<'a> {
    /// The `User-Agent` header.
    pub(crate) user_agent: &'a str,
    /// The keyed hash of its network, if the address is known.
    pub(crate) network: Option<Vec<u8>>,
}

/// The outcome of a refresh.
pub(crate) enum RefreshOutcome {
    /// The session continues.
    Alive(Session),
    /// The token was used before, longer ago than the grace period. Two parties hold it, so the session was ended.
    Reused(Uuid),
    /// The token is unknown, or its session has expired or ended.
    Dead,
}

/// Starts a session of `account` that expires at `expires_at`. Ends the oldest sessions beyond the limit.
pub(crate) async fn start(
    database: &mut PgConnection,
    account: Uuid,
    scope: Vec<String>,
    browser: &Browser<'_>,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> Result<Session, Error> {
    let sid = Uuid::now_v7();
    let refresh_key = token::random_bytes()?;
    let user_agent: String =
        browser.user_agent.chars().filter(|char| !char.is_control()).take(USER_AGENT_LIMIT).collect();
    sqlx::query!(
        "INSERT INTO session (sid, account, created, expires_at, last_used_at, user_agent, network, refresh_key) \
         VALUES ($1, $2, $3, $4, $3, $5, $6, $7)",
        sid,
        account,
        now,
        expires_at,
        user_agent,
        browser.network.as_deref(),
        &refresh_key
    )
    .execute(&mut *database)
    .instrument(span("INSERT session"))
    .await?;
    let refresh_token = RefreshToken::first(sid, &refresh_key)?;
    add_token(database, sid, &refresh_token, now).await?;
    end_oldest(database, account, now).await?;
    Ok(Session { sid, account, scope, expires_at, refresh_token })
}

/// Ends the oldest live sessions of an account beyond the limit. The transaction has locked the account: otherwise two
/// sign-ins would not see each other's session, and could end the same ones in different orders, which is a deadlock.
async fn end_oldest(database: &mut PgConnection, account: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH ended AS (UPDATE session SET ended_at = $2 WHERE ended_at IS NULL AND sid IN \
         (SELECT sid FROM session WHERE account = $1 AND ended_at IS NULL AND expires_at > $2 \
         ORDER BY created DESC, sid DESC OFFSET $3) RETURNING sid) \
         INSERT INTO revocation (sid, revoked_at) SELECT sid, $2 FROM ended",
        account,
        now,
        LIVING_LIMIT
    )
    .execute(database)
    .instrument(span("UPDATE session"))
    .await?;
    Ok(())
}

/// Finds the session that a token can refresh.
pub(crate) async fn find_by_live_token(
    database: &mut PgConnection,
    presented: &RefreshToken,
    now: OffsetDateTime,
    grace: Duration,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT session.sid FROM refresh_token AS token JOIN session ON session.sid = token.sid \
         WHERE token.hash = $1 AND session.ended_at IS NULL AND session.expires_at > $2 \
         AND (token.used_at IS NULL OR token.used_at >= $3)",
        presented.hash(),
        now,
        now - grace
    )
    .fetch_optional(database)
    .instrument(span("SELECT refresh_token"))
    .await
}

/// Uses a refresh token. Within `grace` of its first use it returns the same successor again.
pub(crate) async fn refresh(
    database: &mut PgConnection,
    presented: &RefreshToken,
    network: Option<&[u8]>,
    now: OffsetDateTime,
    grace: Duration,
) -> Result<RefreshOutcome, Error> {
    // One statement: of many concurrent calls with a token one is the first; the others wait for it and see its time.
    let Some(taken) = sqlx::query!(
        r#"UPDATE refresh_token AS token SET used_at = COALESCE(token.used_at, $2)
        FROM session JOIN account ON account.id = session.account
        WHERE token.hash = $1 AND session.sid = token.sid
            AND session.ended_at IS NULL AND session.expires_at > $2
        RETURNING token.used_at AS "used_at!", session.sid, session.refresh_key, session.expires_at,
            account.id, account.scope"#,
        presented.hash(),
        now
    )
    .fetch_optional(&mut *database)
    .instrument(span("UPDATE refresh_token"))
    .await?
    else {
        return end_if_reused(database, presented, now).await;
    };
    if now - taken.used_at > grace {
        end(database, taken.sid, now).await?;
        return Ok(RefreshOutcome::Reused(taken.sid));
    }
    let refresh_token = presented.successor(taken.sid, &taken.refresh_key);
    add_token(database, taken.sid, &refresh_token, now).await?;
    delete_used(database, taken.sid, now - grace).await?;
    sqlx::query!(
        "UPDATE session SET last_used_at = $2, network = $3 WHERE sid = $1",
        taken.sid,
        now,
        network
    )
    .execute(database)
    .instrument(span("UPDATE session"))
    .await?;
    Ok(RefreshOutcome::Alive(Session {
        sid: taken.sid,
        account: taken.id,
        scope: taken.scope,
        expires_at: taken.expires_at,
        refresh_token,
    }))
}

/// Handles a token without a row. If the session issued it, it was used and deleted since: two parties hold it, so the
/// session ends.
async fn end_if_reused(
    database: &mut PgConnection,
    presented: &RefreshToken,
    now: OffsetDateTime,
) -> Result<RefreshOutcome, Error> {
    let sid = presented.named_session();
    let refresh_key = sqlx::query_scalar!(
        "SELECT refresh_key FROM session WHERE sid = $1 AND ended_at IS NULL AND expires_at > $2",
        sid,
        now
    )
    .fetch_optional(&mut *database)
    .instrument(span("SELECT session"))
    .await?;
    if !refresh_key.is_some_and(|refresh_key| presented.is_issued_with(&refresh_key)) {
        return Ok(RefreshOutcome::Dead);
    }
    end(database, sid, now).await?;
    Ok(RefreshOutcome::Reused(sid))
}

/// Deletes all but the newest used tokens of a session. A token used after `before` stays, because it may be presented
/// again.
async fn delete_used(database: &mut PgConnection, sid: Uuid, before: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM refresh_token WHERE sid = $1 AND used_at < $2 AND hash IN \
         (SELECT hash FROM refresh_token WHERE sid = $1 AND used_at IS NOT NULL \
         ORDER BY used_at DESC, issued_at DESC, hash OFFSET $3)",
        sid,
        before,
        USED_KEPT
    )
    .execute(database)
    .instrument(span("DELETE refresh_token"))
    .await?;
    Ok(())
}

/// Stores a token of a session. Does nothing if it is stored already.
async fn add_token(
    database: &mut PgConnection,
    sid: Uuid,
    token: &RefreshToken,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO refresh_token (hash, sid, issued_at) VALUES ($1, $2, $3) \
         ON CONFLICT ON CONSTRAINT refresh_token_pkey DO NOTHING",
        token.hash(),
        sid,
        now
    )
    .execute(database)
    .instrument(span("INSERT refresh_token"))
    .await?;
    Ok(())
}

/// Ends a session. Its refresh tokens stop working at once, its access tokens when edges learn of the revocation. Does
/// nothing if the session has ended or does not exist.
pub(crate) async fn end(database: &mut PgConnection, sid: Uuid, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH ended AS (UPDATE session SET ended_at = $2 WHERE sid = $1 AND ended_at IS NULL RETURNING sid) \
         INSERT INTO revocation (sid, revoked_at) SELECT sid, $2 FROM ended",
        sid,
        now
    )
    .execute(database)
    .instrument(span("UPDATE session"))
    .await?;
    Ok(())
}

/// Ends a session if it is live and belongs to `account`; returns whether it did.
pub(crate) async fn end_own(
    database: &mut PgConnection,
    account: Uuid,
    sid: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let ended = sqlx::query!(
        "WITH ended AS (UPDATE session SET ended_at = $3 WHERE sid = $2 AND account = $1 AND ended_at IS NULL \
         AND expires_at > $3 RETURNING sid) INSERT INTO revocation (sid, revoked_at) SELECT sid, $3 FROM ended",
        account,
        sid,
        now
    )
    .execute(database)
    .instrument(span("UPDATE session"))
    .await?;
    Ok(ended.rows_affected() > 0)
}

/// Ends every session of an account.
pub(crate) async fn end_all(
    database: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH ended AS (UPDATE session SET ended_at = $2 WHERE account = $1 AND ended_at IS NULL RETURNING sid) \
         INSERT INTO revocation (sid, revoked_at) SELECT sid, $2 FROM ended",
        account,
        now
    )
    .execute(database)
    .instrument(span("UPDATE session"))
    .await?;
    Ok(())
}

/// Whether a session has neither ended nor expired.
pub(crate) async fn is_alive(
    database: &mut PgConnection,
    sid: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM session WHERE sid = $1 AND ended_at IS NULL AND expires_at > $2) AS "alive!""#,
        sid,
        now
    )
    .fetch_one(database)
    .instrument(span("SELECT session"))
    .await
}

/// A session, as its owner sees it.
pub(crate) struct SessionRecord {
    pub(crate) sid: Uuid,
    pub(crate) user_agent: String,
    pub(crate) network: Option<Vec<u8>>,
    pub(crate) created: OffsetDateTime,
    pub(crate) last_used_at: OffsetDateTime,
    pub(crate) ended_at: Option<OffsetDateTime>,
    pub(crate) expires_at: OffsetDateTime,
}

/// The sessions of an account: live ones first, then by last use; at most [`LISTED`]. Ended sessions are stored for a
/// while.
pub(crate) async fn list(database: &mut PgConnection, account: Uuid) -> sqlx::Result<Vec<SessionRecord>> {
    sqlx::query_as!(
        SessionRecord,
        "SELECT sid, user_agent, network, created, last_used_at, ended_at, expires_at FROM session \
         WHERE account = $1 ORDER BY ended_at IS NOT NULL, last_used_at DESC, sid DESC LIMIT $2",
        account,
        LISTED
    )
    .fetch_all(database)
    .instrument(span("SELECT session"))
    .await
}

/// Deletes at most `limit` sessions that expired or ended before `before`; returns their number.
pub(crate) async fn sweep(
    database: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM session WHERE sid IN (SELECT sid FROM session WHERE expires_at < $1 OR ended_at < $1 \
         LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        limit
    )
    .execute(database)
    .instrument(span("DELETE session"))
    .await?;
    Ok(swept.rows_affected())
}
