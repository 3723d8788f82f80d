//! The writes of a purchase in the database of commerce, for pgbench. The other databases have fewer.

use sqlx::{Executor as _, PgConnection, Row as _};
use tooling::failure::Outcome;

/// Writes the script of one purchase: the writes of commerce in the same transactions, without its reads. The jobs of
/// commerce ignore these rows, because none of them is due before the purchase is complete.
pub(super) async fn pgbench_script(commerce: &mut PgConnection) -> Outcome<String> {
    let sizes = "SELECT (SELECT avg(octet_length(confirmation)) FROM orders)::int, \
                     (SELECT avg(octet_length(body)) FROM provider_event)::int, \
                     (SELECT avg(octet_length(answer)) FROM idempotency)::int, \
                     (SELECT count(*) FROM provider_event) / (SELECT count(*) FROM orders), \
                     (SELECT min(id) FROM product WHERE kind = 'course')";
    let row = commerce.fetch_one(sizes).await?;
    let [confirmation, event, answer] =
        [row.try_get::<i32, _>(0)?, row.try_get::<i32, _>(1)?, row.try_get::<i32, _>(2)?].map(bytes);
    let (events, product): (i64, i64) = (row.try_get(3)?, row.try_get(4)?);
    let event = format!(
        "INSERT INTO provider_event (id, type, object_id, body, received_at, next_try_at) \
         VALUES ('evt_' || gen_random_uuid(), 'checkout.session.completed', 'cs_1', {event}, now(), now() + interval '1 hour') \
         RETURNING id AS event \\gset\n\
         UPDATE provider_event SET tries = tries + 1, next_try_at = now() + interval '1 minute' WHERE id = :event;\n"
    );
    let processed = "UPDATE provider_event SET processed_at = now(), next_try_at = NULL WHERE id = :event;\n";
    // All but the last update change only these columns.
    let others = format!("{event}{processed}").repeat(usize::try_from(events - 1).unwrap_or(0));
    let outbox = |name: &str| {
        format!(
            "INSERT INTO outbox (id, receiver, type, payload, occurred_at, tries, next_try_at) \
             VALUES (uuidv7(), 'bench', '{name}', {}, now(), 0, now() + interval '1 hour') RETURNING id AS {name} \\gset\n",
            bytes(300)
        )
    };
    let delivered = |name: &str| {
        format!(
            "UPDATE outbox SET tries = tries + 1, next_try_at = now() + interval '1 minute' WHERE id = :{name};\n\
             DELETE FROM outbox WHERE id = :{name};\n"
        )
    };
    Ok([
        "BEGIN;\n",
        &format!(
            "INSERT INTO cart_line (id, account_id, product_id, learner_id, added_at, touched_at) \
             VALUES (uuidv7(), uuidv7(), {product}, uuidv7(), now(), now()) RETURNING account_id AS account \\gset\n"
        ),
        "COMMIT;\nBEGIN;\n",
        &format!(
            "INSERT INTO orders (id, number, account_id, state, buyer_name, buyer_email, total, tax, confirmation, \
                 confirmation_digest, placed_at, due_at, next_check_at) \
             VALUES (uuidv7(), gen_random_uuid()::text, :account, 'awaiting_payment', '学習 花子', 'bench@fill.example', \
                 13200, 1200, {confirmation}, sha256('x'), now(), now() + interval '1 hour', \
                 now() + interval '15 seconds') RETURNING id AS order \\gset\n"
        ),
        &format!(
            "INSERT INTO order_line (order_id, n, product_id, course_id, name, price, period_days, learner_id, \
                 learner_name) \
             VALUES (:order, 1, {product}, 101, '中1英語', 13200, 365, :account, '学習 花子');\n"
        ),
        &journal("order_placed", ":order", "(1, 1, 13200), (2, 3, -12000), (3, 4, -1200)"),
        "INSERT INTO payment (id, order_id, attempt, method, state, amount, page_expires_at, created_at) \
         VALUES (uuidv7(), :order, 1, 'card', 'created', 13200, now() + interval '1 hour', now()) \
         RETURNING id AS payment \\gset\n",
        &format!(
            "INSERT INTO idempotency (key, body_hash, answer, created) \
             VALUES (uuid_send(gen_random_uuid()), sha256('x'), {answer}, now());\n"
        ),
        "COMMIT;\n",
        "UPDATE payment SET session = 'cs_' || id, page_url = 'http://127.0.0.1:7700/pay/cs_' || id, \
         state = 'requires_action' WHERE id = :payment;\n",
        &others,
        &event,
        "BEGIN;\n",
        "UPDATE payment SET state = 'succeeded', intent = 'pi_' || id, settled_at = now() WHERE id = :payment;\n",
        "UPDATE orders SET state = 'paid', paid_at = now(), next_check_at = now() + interval '15 seconds', checks = 0 WHERE id = :order;\n",
        &journal("payment_received", ":payment", "(1, 2, 13200), (2, 1, -13200)"),
        "DELETE FROM cart_line WHERE account_id = :account;\n",
        &outbox("entitlement"),
        "UPDATE order_line SET grant_event = :entitlement WHERE order_id = :order AND n = 1;\n",
        &outbox("mail"),
        processed,
        "COMMIT;\n",
        &delivered("entitlement"),
        &delivered("mail"),
        "UPDATE orders SET state = 'fulfilled', fulfilled_at = now(), next_check_at = NULL WHERE id = :order;\n",
    ]
    .concat())
}

/// An entry of the ledger for `subject` with these postings: number, account, amount.
fn journal(kind: &str, subject: &str, postings: &str) -> String {
    format!(
        "INSERT INTO journal (kind, subject, order_id, at) VALUES ('{kind}', {subject}, :order, now()) \
         RETURNING id AS journal \\gset\n\
         INSERT INTO posting (journal_id, n, account, amount) \
         SELECT :journal::bigint, n, account, amount FROM (VALUES {postings}) AS entry (n, account, amount);\n"
    )
}

/// Returns an SQL expression of this many bytes.
fn bytes(length: i32) -> String {
    format!("convert_to(repeat('x', {length}), 'UTF8')")
}
