//! All stored data of learners: which noun owns which table, and its erasure.

use kit_db::erased_account;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{application, extra_time, learner, marking, missed_question, seat, sitting};

type Erasure<'a> = futures_util::future::BoxFuture<'a, sqlx::Result<()>>;

/// The learner's rows of one noun.
struct Noun {
    /// Every table of the noun that has a column with an account.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares the tables with the schema"))]
    tables: &'static [&'static str],
    /// Deletes the rows of one account.
    erase: for<'a> fn(&'a mut PgConnection, Uuid) -> Erasure<'a>,
}

/// In the order of erasure: rows that refer to others come first.
const NOUNS: [Noun; 6] = [
    Noun {
        tables: &["missed_queue"],
        erase: |connection, learner| Box::pin(missed_question::erase(connection, learner)),
    },
    Noun { tables: &["mark"], erase: |connection, learner| Box::pin(marking::erase(connection, learner)) },
    Noun { tables: &["sitting"], erase: |connection, learner| Box::pin(sitting::erase(connection, learner)) },
    Noun {
        tables: &["extra_time"],
        erase: |connection, learner| Box::pin(extra_time::erase(connection, learner)),
    },
    Noun {
        tables: &["application", "desired_school", "device_check"],
        erase: |connection, learner| Box::pin(application::erase(connection, learner)),
    },
    Noun { tables: &["seat"], erase: |connection, learner| Box::pin(seat::erase(connection, learner)) },
];

/// Erases all stored data of an account. Later events of the account change nothing.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    learner::lock(connection, account).await?;
    erased_account::add(connection, account, now).await?;
    for noun in &NOUNS {
        (noun.erase)(connection, account).await?;
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
                AND columns.column_name IN ('learner_id', 'actor_id', 'account_id', 'guardian_id')
            ORDER BY 1
            "#
        );
        let wanted: Vec<String> = wanted.fetch_all(&mut *connection).await.unwrap();
        let mut tables: Vec<&str> = NOUNS.iter().flat_map(|noun| noun.tables).copied().collect();
        tables.sort_unstable();
        assert_eq!(tables, wanted);
    }
}
