//! All that is kept about accounts: which noun owns which table, and erasing it.

use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::order::erasure;
use crate::{cart, erased_account};

type Erasure<'a> = futures_util::future::BoxFuture<'a, sqlx::Result<()>>;

/// What one noun keeps about an account.
struct Noun {
    /// Every table of the noun that has a column with an account.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares the tables with the schema"))]
    tables: &'static [&'static str],
    /// Erases what is kept about an account at a time.
    erase: for<'a> fn(&'a mut PgConnection, Uuid, OffsetDateTime) -> Erasure<'a>,
}

/// In the order of locking: orders come first.
const NOUNS: [Noun; 2] = [
    Noun {
        tables: &["orders", "order_line"],
        erase: |connection, account, now| Box::pin(erasure::erase(connection, account, now)),
    },
    Noun {
        tables: &["cart_line"],
        erase: |connection, account, _| Box::pin(cart::erase(connection, account)),
    },
];

/// Erases what is kept about an account, a buyer's or a learner's, but for what the books need. Later requests of the
/// account are refused.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    erased_account::lock(connection, account).await?;
    erased_account::add(connection, account, now).await?;
    for noun in &NOUNS {
        (noun.erase)(connection, account, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::NOUNS;

    #[tokio::test]
    async fn every_table_with_an_account_belongs_to_a_noun_that_erases_it() {
        let database = kit_db::test::TestDatabase::new(&crate::MIGRATIONS).await;
        let mut connection = database.pool.acquire().await.unwrap();
        let wanted = sqlx::query_scalar!(
            r#"
            SELECT DISTINCT columns.table_name::text AS "name!"
            FROM information_schema.columns
            JOIN information_schema.tables USING (table_schema, table_name)
            WHERE
                columns.table_schema = 'public'
                AND tables.table_type = 'BASE TABLE'
                AND columns.column_name IN ('account_id', 'learner_id', 'learner_name', 'buyer_name', 'buyer_email')
            ORDER BY 1
            "#
        );
        let wanted: Vec<String> = wanted.fetch_all(&mut *connection).await.unwrap();
        let mut tables: Vec<&str> = NOUNS.iter().flat_map(|noun| noun.tables).copied().collect();
        tables.sort_unstable();
        assert_eq!(tables, wanted);
    }
}
