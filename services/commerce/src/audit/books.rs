//! Checks that need only the database.

use kit_db::span;
use sqlx::PgConnection;
use tracing::Instrument as _;

use super::Report;

/// Adds a check to the report: a query that returns the names of faulty items, and a count of
/// checked items.
macro_rules! check {
    ($connection:ident, $report:ident, $name:literal, $counted:literal, $query:literal) => {{
        let counted = sqlx::query_scalar!($counted)
            .fetch_one(&mut *$connection)
            .instrument(span("SELECT count"))
            .await?;
        let found =
            sqlx::query_scalar!($query).fetch_all(&mut *$connection).instrument(span("SELECT audit")).await?;
        $report.add($name, counted, found);
    }};
}

/// Checks the ledger, and the orders against it.
pub(super) async fn check(connection: &mut PgConnection, report: &mut Report) -> sqlx::Result<()> {
    check!(
        connection,
        report,
        "every journal sums to zero",
        r#"SELECT count(*) AS "count!" FROM journal"#,
        r#"
        SELECT 'journal ' || journal_id || ' sums to ' || sum(amount) AS "found!"
        FROM posting GROUP BY journal_id HAVING sum(amount) <> 0 ORDER BY journal_id
        "#
    );
    check!(
        connection,
        report,
        "the ledger sums to zero",
        r#"SELECT coalesce(sum(amount), 0)::bigint AS "count!" FROM posting"#,
        r#"SELECT 'it sums to ' || sum(amount) AS "found!" FROM posting HAVING sum(amount) <> 0"#
    );
    check!(
        connection,
        report,
        "an order owes its total until it is paid or ends, then nothing",
        r#"SELECT count(*) AS "count!" FROM orders"#,
        r#"
        SELECT number || ' (' || state || ') owes ' || owed || ' yen' AS "found!"
        FROM (
            SELECT number, state, total, coalesce((
                SELECT sum(amount) FROM posting JOIN journal ON journal.id = journal_id
                WHERE journal.order_id = orders.id AND account = 1
            ), 0) AS owed
            FROM orders
        ) AS booked
        WHERE owed <> CASE WHEN state = 'awaiting_payment' THEN total ELSE 0 END
        ORDER BY number
        "#
    );
    check!(
        connection,
        report,
        "a paid order has one payment of its total",
        r#"SELECT count(*) AS "count!" FROM orders WHERE paid_at IS NOT NULL"#,
        r#"
        SELECT number || ' has ' || payments || ' payments of its total' AS "found!"
        FROM (
            SELECT number, (
                SELECT count(*) FROM payment
                WHERE order_id = orders.id AND state = 'succeeded' AND amount = total
                    AND NOT EXISTS (SELECT FROM refund WHERE payment_id = payment.id AND reason = 'late'
                        AND NOT is_from_balance)
            ) AS payments
            FROM orders WHERE paid_at IS NOT NULL
        ) AS paid
        WHERE payments <> 1
        ORDER BY number
        "#
    );
    check!(
        connection,
        report,
        "the lines of an order cost its total and its discount",
        r#"SELECT count(*) AS "count!" FROM orders"#,
        r#"
        SELECT number || ': lines ' || lines || ' yen, total ' || total AS "found!"
        FROM (
            SELECT number, total, (
                SELECT coalesce(sum(price - order_line.discount), 0) FROM order_line WHERE order_id = orders.id
            ) AS lines
            FROM orders
        ) AS priced
        WHERE lines <> total
        ORDER BY number
        "#
    );
    check!(
        connection,
        report,
        "a paid course or exam seat was granted once, or refunded",
        r#"
        SELECT count(*) AS "count!" FROM order_line JOIN orders ON orders.id = order_id
        WHERE paid_at IS NOT NULL AND (course_id IS NOT NULL OR exam_id IS NOT NULL)
        "#,
        r#"
        SELECT number || ' line ' || n || ' was not granted' AS "found!"
        FROM order_line JOIN orders ON orders.id = order_id LEFT JOIN refund_line USING (order_id, n)
        WHERE paid_at IS NOT NULL AND (course_id IS NOT NULL OR exam_id IS NOT NULL) AND grant_event IS NULL
            AND refund_id IS NULL
        UNION ALL
        SELECT 'event ' || grant_event || ' grants ' || count(*) || ' lines'
        FROM order_line WHERE grant_event IS NOT NULL GROUP BY grant_event HAVING count(*) > 1
        UNION ALL
        SELECT number || ' line ' || n || ' was granted and not paid'
        FROM order_line JOIN orders ON orders.id = order_id
        WHERE paid_at IS NULL AND grant_event IS NOT NULL
        "#
    );
    check!(
        connection,
        report,
        "no exam has more seats sold than places",
        r#"SELECT count(*) AS "count!" FROM product WHERE exam_id IS NOT NULL"#,
        r#"
        SELECT product.name || ': ' || count(*) || ' seats in ' || places || ' places' AS "found!"
        FROM product JOIN order_line ON product_id = product.id JOIN orders ON orders.id = order_id
            LEFT JOIN refund_line USING (order_id, n)
        WHERE product.exam_id IS NOT NULL AND orders.state NOT IN ('expired', 'cancelled') AND refund_id IS NULL
        GROUP BY product.id HAVING count(*) > places
        "#
    );
    check!(
        connection,
        report,
        "no more is refunded than was paid",
        r#"SELECT count(*) AS "count!" FROM refund"#,
        r#"
        SELECT number || ': ' || sum(refund.amount) || ' yen of ' || payment.amount AS "found!"
        FROM refund JOIN payment ON payment.id = payment_id JOIN orders ON orders.id = order_id
        WHERE reason IN ('buyer', 'outside', 'dispute', 'duplicate') AND replaces IS NULL
            AND refund.state <> 'overtaken'
        GROUP BY payment.id, number, payment.amount HAVING sum(refund.amount) > payment.amount
        UNION ALL
        SELECT number || ' line ' || n || ': ' || refund_line.amount || ' yen of ' || price - order_line.discount
        FROM refund_line JOIN order_line USING (order_id, n) JOIN orders ON orders.id = order_id
        WHERE refund_line.amount > price - order_line.discount
        "#
    );
    check!(
        connection,
        report,
        "the state of an order is that of its lines",
        r#"SELECT count(*) AS "count!" FROM orders"#,
        r#"
        SELECT number || ' is ' || state || ', ' || refunded || ' of ' || lines || ' lines are refunded' AS "found!"
        FROM (
            SELECT number, state, count(*) AS lines, count(refund_id) AS refunded
            FROM orders JOIN order_line ON order_id = orders.id LEFT JOIN refund_line USING (order_id, n)
            GROUP BY orders.id
        ) AS counted
        WHERE (state = 'refunded') <> (refunded = lines)
            OR (state = 'part_refunded') <> (refunded > 0 AND refunded < lines)
        ORDER BY number
        "#
    );
    check!(
        connection,
        report,
        "no refund has failed and is still owed",
        r#"SELECT count(*) AS "count!" FROM refund WHERE state = 'failed'"#,
        r#"
        SELECT number || ': ' || refund.amount || ' yen, refund ' || refund.id AS "found!"
        FROM refund JOIN payment ON payment.id = payment_id JOIN orders ON orders.id = order_id
        WHERE refund.state = 'failed'
            AND NOT EXISTS (SELECT FROM refund AS other WHERE other.replaces = refund.id)
        ORDER BY number
        "#
    );
    Ok(())
}

/// Finds the last journal if all postings sum to zero, or else 0.
pub(super) async fn find_last_journal(connection: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"
        SELECT CASE WHEN coalesce(sum(amount), 0) = 0 THEN coalesce(max(journal_id), 0) ELSE 0 END AS "id!"
        FROM posting
        "#,
    )
    .fetch_one(connection)
    .instrument(span("SELECT posting"))
    .await
}
