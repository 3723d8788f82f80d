//! The data of an order that its refund depends on.

use kit::client::Channel;
use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::quote::{PaidLine, PaidOrder, Quote};
use crate::error::Error;
use crate::opened_lessons::{self, Lessons};
use crate::payment::Method;
use crate::product::Kind;
use crate::refund_policy::{self, RefundPolicy};

/// An order that may be refunded.
pub(crate) struct RefundableOrder {
    pub(crate) id: Uuid,
    /// `None`: the account was erased.
    pub(crate) account: Option<Uuid>,
    pub(crate) paid_at: Option<OffsetDateTime>,
    /// Yen.
    pub(crate) total: i32,
    /// Yen of the sale's refunds, completed or in progress.
    pub(crate) refunded: i32,
    pub(crate) policy: RefundPolicy,
    /// The payment that succeeded, or else the last attempt.
    pub(crate) payment: Uuid,
    pub(crate) method: Method,
    /// Whether the payment has an open dispute.
    pub(crate) is_disputed: bool,
    pub(crate) lines: Vec<RefundableLine>,
}

/// A line of such an order.
pub(crate) struct RefundableLine {
    pub(crate) n: i16,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) course: Option<i64>,
    pub(crate) exam: Option<i64>,
    /// The exclusive end of the period in which a seat of an exam can be returned.
    pub(crate) application_closes_at: Option<OffsetDateTime>,
    pub(crate) learner: Uuid,
    /// Empty once the learner's account was erased.
    pub(crate) learner_name: String,
    /// Yen: the price less the discount.
    pub(crate) paid: i32,
    /// The refunded amount in yen, or `None` if it was not refunded.
    pub(crate) refunded: Option<i32>,
    /// Whether its refund was overtaken, and the refund or dispute that overtook it is not booked
    /// yet.
    pub(crate) is_overtaken: bool,
    /// When access ends, or `None` if it has no end or has not started.
    pub(crate) ends_at: Option<OffsetDateTime>,
    pub(crate) lessons: Lessons,
    /// Whether it belongs to a contract of a 特定継続的役務.
    pub(crate) is_continuous_service: bool,
}

impl RefundableLine {
    /// The item's name in an email, e.g. `中3数学 二次方程式と関数（葵 太郎さん）`.
    pub(crate) fn label(&self) -> String {
        if self.learner_name.is_empty() {
            return self.name.clone();
        }
        format!("{}（{}さん）", self.name, self.learner_name)
    }

    fn is_counted(&self) -> bool {
        self.refunded.is_none() && !self.learner_name.is_empty()
    }
}

impl RefundableOrder {
    /// Yen of the sale that are not refunded.
    pub(crate) fn left(&self) -> i32 {
        (self.total - self.refunded).max(0)
    }

    /// Whether every line was refunded.
    pub(crate) fn is_all_refunded(&self) -> bool {
        self.lines.iter().all(|line| line.refunded.is_some())
    }

    /// Gets the numbers of opened lessons from lms. Must not be called within a transaction.
    pub(crate) async fn count_lessons(&mut self, lms: &Channel) -> Result<(), Error> {
        let Some(paid_at) = self.paid_at else { return Ok(()) };
        let mut counted: Vec<_> = self
            .lines
            .iter_mut()
            .filter(|line| line.is_counted())
            .filter_map(|line| Some((line.learner, line.course?, &mut line.lessons)))
            .collect();
        let courses: Vec<_> = counted.iter().map(|(learner, course, _)| (*learner, *course)).collect();
        let lessons = opened_lessons::count(lms, &courses, paid_at).await?;
        for ((_, _, line), lessons) in counted.iter_mut().zip(lessons) {
            **line = lessons;
        }
        Ok(())
    }

    /// Copies the lesson counts from an earlier load of the same order.
    pub(crate) fn set_lessons(&mut self, counted: &Self) {
        for line in &mut self.lines {
            if let Some(same) = counted.lines.iter().find(|same| same.n == line.n) {
                line.lessons = same.lessons;
            }
        }
    }

    /// Computes the refund at `now`, or `None` if the order was not paid.
    pub(crate) fn quote(&self, now: OffsetDateTime) -> Option<Quote> {
        let order = PaidOrder {
            id: self.id,
            paid_at: self.paid_at?,
            total: self.total,
            refunded: self.refunded,
            is_disputed: self.is_disputed,
            lines: self
                .lines
                .iter()
                .map(|line| PaidLine {
                    n: line.n,
                    paid: line.paid,
                    refunded: line.refunded,
                    is_course: line.course.is_some(),
                    application_closes_at: line.application_closes_at,
                    is_erased: line.learner_name.is_empty(),
                    ends_at: line.ends_at,
                    lessons: line.lessons,
                    is_continuous_service: line.is_continuous_service,
                })
                .collect(),
        };
        Some(Quote::compute(&order, &self.policy, now))
    }
}

/// Finds an order of any account.
pub(crate) async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<RefundableOrder>> {
    let order = sqlx::query!(
        r#"
        SELECT
            account_id, paid_at, total, refund_policy, payment.id AS payment, payment.method AS "method: Method",
            (
                SELECT coalesce(sum(refund.amount), 0)::integer
                FROM refund JOIN payment ON payment.id = refund.payment_id
                WHERE order_id = orders.id AND reason IN ('buyer', 'outside', 'dispute', 'duplicate') AND replaces IS NULL
                    AND refund.state <> 'overtaken'
            ) AS "refunded!",
            EXISTS (
                SELECT FROM dispute WHERE payment_id = payment.id AND dispute.state = 'open'
            ) AS "is_disputed!"
        FROM orders JOIN LATERAL (
            SELECT id, method
            FROM payment
            WHERE order_id = orders.id
            -- The one that paid it, and not one that came beside it.
            ORDER BY
                state = 'succeeded' AND NOT EXISTS (
                    SELECT FROM refund WHERE payment_id = payment.id AND reason = 'late'
                        AND NOT is_from_balance
                ) DESC,
                CASE WHEN state = 'succeeded' THEN settled_at END,
                attempt DESC
            LIMIT 1
        ) AS payment ON true
        WHERE orders.id = $1
        "#,
        id,
    )
    .fetch_optional(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let Some(order) = order else { return Ok(None) };
    Ok(Some(RefundableOrder {
        id,
        account: order.account_id,
        paid_at: order.paid_at,
        total: order.total,
        refunded: order.refunded,
        policy: refund_policy::find_version(connection, order.refund_policy).await?,
        payment: order.payment,
        method: order.method,
        is_disputed: order.is_disputed,
        lines: list_lines(connection, id, order.paid_at).await?,
    }))
}

async fn list_lines(
    connection: &mut PgConnection,
    order: Uuid,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Vec<RefundableLine>> {
    let lines = sqlx::query!(
        r#"
        SELECT
            n, name, kind AS "kind: Kind", course_id, exam_id, application_closes_at, period_days, learner_id,
            learner_name, price - discount AS "paid!", refund_line.amount AS "refunded?",
            coalesce(refund.state = 'overtaken', false) AS "is_overtaken!", is_continuous_service
        FROM order_line
            LEFT JOIN refund_line USING (order_id, n)
            LEFT JOIN refund ON refund.id = refund_line.refund_id
        WHERE order_id = $1
        ORDER BY n
        "#,
        order,
    )
    .fetch_all(connection)
    .instrument(span("SELECT order_line"))
    .await?;
    // The same end as in the grant.
    let ends_at = |days: Option<i32>| paid_at?.checked_add(Duration::days(days?.into()));
    Ok(lines
        .into_iter()
        .map(|line| RefundableLine {
            n: line.n,
            name: line.name,
            kind: line.kind,
            course: line.course_id,
            exam: line.exam_id,
            application_closes_at: line.application_closes_at,
            learner: line.learner_id,
            learner_name: line.learner_name,
            paid: line.paid,
            refunded: line.refunded,
            is_overtaken: line.is_overtaken,
            ends_at: ends_at(line.period_days),
            lessons: Lessons::default(),
            is_continuous_service: line.is_continuous_service,
        })
        .collect())
}
