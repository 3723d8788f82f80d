//! The people who mark.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

use super::MarkingError;

/// The longest name of a marker, in characters.
pub(super) const LONGEST_MARKER: usize = 50;

/// Parses the name of a marker. It is in small letters, so that a person has one name.
pub(super) fn parse(marker: &str) -> Result<String, MarkingError> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_');
    let is_usable = (1..=LONGEST_MARKER).contains(&marker.len()) && marker.chars().all(is_plain);
    if is_usable { Ok(marker.to_ascii_lowercase()) } else { Err(MarkingError::Marker(marker.to_owned())) }
}

/// Adds a marker, if it is new.
pub(super) async fn add(connection: &mut PgConnection, marker: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO marker (id) VALUES ($1) ON CONFLICT ON CONSTRAINT marker_pkey DO NOTHING",
        marker
    )
    .execute(connection)
    .instrument(span("INSERT marker"))
    .await?;
    Ok(())
}

/// Locks a marker until the end of the transaction, so that two calls of one marker follow each other. Returns whether the
/// marker exists.
pub(super) async fn lock(connection: &mut PgConnection, marker: &str) -> sqlx::Result<bool> {
    let marker = sqlx::query!("SELECT id FROM marker WHERE id = $1 FOR UPDATE", marker)
        .fetch_optional(connection)
        .instrument(span("SELECT marker"))
        .await?;
    Ok(marker.is_some())
}
