//! Erases an account from orders.
//!
//! Accounting needs an order for seven years: what was bought, for how much, when, by whom, and the
//! addressee of its receipt. No account can read it any more. The email address, the reading of the
//! name, the senders of transfers and the learners are deleted at once. The other personal data is
//! deleted after the seven years. The ledger has no personal data and stays.

use std::collections::HashMap;

use kit_db::span;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::Instrument as _;
use uuid::Uuid;

use crate::{confirmation, transfer};

/// Erases an account from its orders, and from the lines that others ordered for it. An order that
/// awaits payment and involves the account becomes due at once, and ends.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Uuid>> {
    let mut confirmations = lock_confirmations(connection, account).await?;
    let ids: Vec<Uuid> = confirmations.keys().copied().collect();
    let learners = sqlx::query!(
        "
        SELECT order_id, learner_id, learner_name
        FROM order_line JOIN orders ON orders.id = order_id
        WHERE order_id = ANY ($1) AND (account_id = $2 OR learner_id = $2)
        ",
        &ids,
        account,
    )
    .fetch_all(&mut *connection)
    .instrument(span("SELECT order_line"))
    .await?;
    for line in learners {
        if let Some(document) = confirmations.get_mut(&line.order_id) {
            *document = confirmation::erase_learner(document, line.learner_id, &line.learner_name);
        }
    }
    // The lines of an order must still differ by the id of the learner.
    sqlx::query!(
        "
        UPDATE order_line SET learner_id = gen_random_uuid(), learner_name = ''
        FROM orders
        WHERE orders.id = order_id AND order_id = ANY ($1) AND (account_id = $2 OR learner_id = $2)
        ",
        &ids,
        account,
    )
    .execute(&mut *connection)
    .instrument(span("UPDATE order_line"))
    .await?;
    transfer::erase(connection, account).await?;
    let (ids, documents): (Vec<Uuid>, Vec<Vec<u8>>) = confirmations.into_iter().unzip();
    // Increments the count of checks, so a worker that checks the order now does not postpone it.
    sqlx::query!(
        "
        UPDATE orders SET
            confirmation = erased.confirmation,
            account_id = nullif(account_id, $3),
            buyer_email = CASE WHEN account_id = $3 THEN '' ELSE buyer_email END,
            buyer_kana = CASE WHEN account_id = $3 THEN '' ELSE buyer_kana END,
            is_ending = state = 'awaiting_payment',
            next_check_at = CASE WHEN state = 'awaiting_payment' THEN $4 ELSE next_check_at END,
            checks = CASE WHEN state = 'awaiting_payment' THEN checks + 1 ELSE checks END
        FROM unnest($1::uuid[], $2::bytea[]) AS erased (id, confirmation)
        WHERE orders.id = erased.id
        ",
        &ids,
        &documents,
        account,
        now,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(ids)
}

/// Locks the orders that involve the account. Returns their confirmations.
async fn lock_confirmations(
    connection: &mut PgConnection,
    account: Uuid,
) -> sqlx::Result<HashMap<Uuid, Vec<u8>>> {
    let rows = sqlx::query!(
        "
        SELECT id, confirmation FROM orders
        WHERE id IN (
            SELECT id FROM orders WHERE account_id = $1
            UNION
            SELECT order_id FROM order_line WHERE learner_id = $1
        )
        ORDER BY id FOR UPDATE
        ",
        account,
    )
    .fetch_all(connection)
    .instrument(span("SELECT orders"))
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.confirmation)).collect())
}

/// Deletes the personal data of at most `limit` orders of erased accounts that were paid or ended
/// seven years ago. The items and amounts stay. Returns the number of orders.
pub(crate) async fn sweep(
    connection: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "
        UPDATE orders SET buyer_name = '', receipt_addressee = NULL, confirmation = '', confirmation_digest = ''
        WHERE id IN (
            SELECT id FROM orders
            WHERE account_id IS NULL AND buyer_name <> ''
                AND coalesce(paid_at, ended_at) <= $1::timestamptz - interval '7 years'
            LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        ",
        now,
        limit,
    )
    .execute(connection)
    .instrument(span("UPDATE orders"))
    .await?;
    Ok(swept.rows_affected())
}
