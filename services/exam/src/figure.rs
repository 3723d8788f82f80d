//! Figures of questions.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

/// Finds the SVG of a figure by its name, which is the SHA-256 digest in hex.
pub(crate) async fn find(connection: &mut PgConnection, name: &str) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT svg FROM figure WHERE name = $1", name)
        .fetch_optional(connection)
        .instrument(span("SELECT figure"))
        .await
}
