//! Postal codes of Japan, as Japan Post publishes them each month.

use std::path::Path;

use kit::Failure;
use kit::db::{Pool, span};
use sqlx::PgConnection;
use tokio::fs::File;
use tracing::Instrument as _;

/// A town of a code.
#[expect(clippy::struct_field_names, reason = "so are they called on the wire")]
pub(crate) struct Town {
    pub(crate) prefecture: String,
    pub(crate) city: String,
    pub(crate) town: String,
    pub(crate) prefecture_kana: String,
    pub(crate) city_kana: String,
    pub(crate) town_kana: String,
}

/// The towns of a code, seven digits.
pub(crate) async fn of(database: &mut PgConnection, code: &str) -> sqlx::Result<Vec<Town>> {
    sqlx::query_as!(
        Town,
        "SELECT prefecture, city, town, prefecture_kana, city_kana, town_kana FROM postal_town WHERE code = $1 \
         ORDER BY prefecture_kana, city_kana, town_kana, town",
        code
    )
    .fetch_all(database)
    .instrument(span("SELECT postal_town"))
    .await
}

/// Puts the towns of `file` in the place of those that are there, and gives how many there are. Nobody sees a part.
pub async fn import(pool: &Pool, file: &Path) -> Result<u64, Failure> {
    let named = |error: &dyn std::error::Error| format!("{}: {}", file.display(), kit::error::chain(error));
    let content = File::open(file).await.map_err(|error| named(&error))?;
    let mut transaction = pool.begin().await?;
    // More than a hundred thousand rows take a while; another import waits, readers don't.
    sqlx::query!("SET LOCAL statement_timeout = '120s'").execute(&mut *transaction).await?;
    sqlx::query!("LOCK TABLE postal_town IN SHARE ROW EXCLUSIVE MODE").execute(&mut *transaction).await?;
    sqlx::query!("DELETE FROM postal_town").execute(&mut *transaction).await?;
    let mut copy = transaction
        .copy_in_raw(
            "COPY postal_town (code, prefecture, city, town, prefecture_kana, city_kana, town_kana) FROM STDIN",
        )
        .await?;
    copy.read_from(content).await.map_err(|error| named(&error))?;
    let towns = copy.finish().await.map_err(|error| named(&error))?;
    if towns == 0 {
        return Err(format!("{}: there is no town in it", file.display()).into());
    }
    transaction.commit().await?;
    Ok(towns)
}
