//! All stored data of learners: which noun owns which table, and its erasure.

use kit_db::erased_account;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::lesson::opening;
use crate::{
    audit, bookmark, certificate, check, class, day, entitlement, exam_review, favorite, inventory, learner,
    note, progress, result, review, stream, study_plan, watch, watch_credit,
};

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
const NOUNS: [Noun; 20] = [
    Noun {
        tables: &["certificate"],
        erase: |connection, learner| Box::pin(certificate::erase(connection, learner)),
    },
    Noun {
        tables: &["exam_review"],
        erase: |connection, learner| Box::pin(exam_review::erase(connection, learner)),
    },
    Noun { tables: &["review"], erase: |connection, learner| Box::pin(review::erase(connection, learner)) },
    Noun {
        tables: &["answer", "result"],
        erase: |connection, learner| Box::pin(result::erase(connection, learner)),
    },
    Noun {
        tables: &["entitlement_source"],
        erase: |connection, learner| Box::pin(entitlement::erase(connection, learner)),
    },
    Noun {
        // Triggers delete the row of `learner_inventory` with the last item.
        tables: &["inventory", "learner_inventory"],
        erase: |connection, learner| Box::pin(inventory::erase(connection, learner)),
    },
    Noun {
        tables: &["bookmark"],
        erase: |connection, learner| Box::pin(bookmark::erase(connection, learner)),
    },
    Noun {
        tables: &["favorite"],
        erase: |connection, learner| Box::pin(favorite::erase(connection, learner)),
    },
    Noun {
        tables: &["lesson_check"],
        erase: |connection, learner| Box::pin(check::erase(connection, learner)),
    },
    Noun { tables: &["watch"], erase: |connection, learner| Box::pin(watch::erase(connection, learner)) },
    Noun {
        tables: &["watch_credit"],
        erase: |connection, learner| Box::pin(watch_credit::erase(connection, learner)),
    },
    Noun {
        tables: &["lesson_opening"],
        erase: |connection, learner| Box::pin(opening::erase(connection, learner)),
    },
    Noun { tables: &["stream"], erase: |connection, learner| Box::pin(stream::erase(connection, learner)) },
    Noun { tables: &["watch_day"], erase: |connection, learner| Box::pin(day::erase(connection, learner)) },
    Noun { tables: &["note"], erase: |connection, learner| Box::pin(note::erase(connection, learner)) },
    Noun {
        tables: &["attendance"],
        erase: |connection, learner| Box::pin(class::attendance::erase(connection, learner)),
    },
    Noun {
        tables: &["homework_mark"],
        erase: |connection, learner| Box::pin(class::homework::erase(connection, learner)),
    },
    Noun {
        tables: &["study_plan"],
        erase: |connection, learner| Box::pin(study_plan::minutes::erase(connection, learner)),
    },
    Noun {
        tables: &["audit_entry"],
        erase: |connection, account| Box::pin(audit::erase(connection, account)),
    },
    Noun {
        tables: &["progress"],
        erase: |connection, learner| Box::pin(progress::erase(connection, learner)),
    },
];

/// Erases all stored data of an account, a learner's or a guardian's. Later entitlement events of
/// the account change nothing.
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
