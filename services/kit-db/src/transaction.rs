//! Transactions with spans for their start and end.

use std::ops::{Deref, DerefMut};

use sqlx::{PgConnection, Postgres};
use tracing::Instrument as _;

use super::{Pool, span};

/// A transaction on a connection of a [`Pool`]. It is rolled back if it is dropped before [`commit`](Self::commit).
pub struct Transaction(sqlx::Transaction<'static, Postgres>);

impl Pool {
    /// Begins a transaction, in a span `BEGIN` that covers the wait for a connection.
    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        let begin = async { sqlx::Transaction::begin(self.acquire().await?, None).await };
        begin.instrument(span("BEGIN")).await.map(Transaction)
    }
}

impl Transaction {
    /// Commits, in a span `COMMIT`, which shows the time of the disk write.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.0.commit().instrument(span("COMMIT")).await
    }

    /// Rolls back, in a span `ROLLBACK`, and waits for the answer.
    pub async fn rollback(self) -> sqlx::Result<()> {
        self.0.rollback().instrument(span("ROLLBACK")).await
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}
