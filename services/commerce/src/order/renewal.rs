//! Renewals: the orders of later periods, charged to the saved card off session.

use kit_db::span;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Instrument as _;
use uuid::Uuid;

use super::placing::{NewOrder, START_PERIOD, insert_lines, prepare_payment};
use super::{State, change};
use crate::confirmation::{self, ConfirmedLine};
use crate::error::Error;
use crate::ledger::{self, Entry};
use crate::payment::{self, Method, NewPayment};
use crate::product::Kind;
use crate::subscription::change::LockedSubscription;
use crate::subscription_rules::GRACE_PERIOD;
use crate::{erased_account, refund_policy};

/// How often a subscription with an open renewal is checked.
pub(crate) const CHECK_PERIOD: Duration = Duration::HOUR;

/// Keeps the accounts of a subscription from being erased until the transaction ends. Must be
/// called before its row is locked.
pub(crate) async fn admit(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    let row = sqlx::query!("SELECT account_id, learner_id FROM subscription WHERE id = $1", id)
        .fetch_one(&mut *connection)
        .instrument(span("SELECT subscription"))
        .await?;
    // All transactions lock in the same order, so they can't deadlock.
    let mut accounts = vec![row.learner_id];
    accounts.extend(row.account_id);
    accounts.sort_unstable();
    accounts.dedup();
    for account in accounts {
        erased_account::is_erased(connection, account).await?;
    }
    Ok(())
}

/// Places the order of the next period, with a payment by the saved card. Returns the order. The
/// subscription must be active, with its period over and no open renewal.
pub(crate) async fn place_renewal(
    connection: &mut PgConnection,
    locked: &LockedSubscription,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, Error> {
    let (Some(account), Some(next)) = (locked.account, locked.next_period()) else { return Ok(None) };
    let ordered_as = sqlx::query_scalar!(
        "SELECT number FROM orders WHERE id = (SELECT order_id FROM subscription WHERE id = $1)",
        locked.id,
    )
    .fetch_one(&mut *connection)
    .instrument(span("SELECT orders"))
    .await?;
    let line = ConfirmedLine {
        product: locked.product,
        course: None,
        exam: None,
        application_closes_at: None,
        kind: Kind::Subscription,
        name: locked.name.clone(),
        period_days: None,
        price: locked.price,
        discount: 0,
        learner: locked.learner,
        learner_name: locked.learner_name.clone(),
        is_continuous_service: false,
    };
    let policy = refund_policy::find_current(connection, now).await?;
    let confirmation = confirmation::render_renewal(line, next, &ordered_as, policy.version)?;
    let due_at = now + GRACE_PERIOD;
    let new = NewOrder {
        account: Some(account),
        buyer_name: &locked.buyer_name,
        buyer_email: &locked.buyer_email,
        buyer_kana: "",
        renewal: Some((locked.id, next.number)),
        due_at,
    };
    let order = new.insert(connection, &confirmation, now).await?;
    insert_lines(connection, order, &confirmation.lines).await?;
    add_charge(connection, (account, order), confirmation.total, due_at, now).await?;
    let entry = Entry::OrderPlaced { total: confirmation.total, discount: 0, tax: confirmation.tax };
    ledger::book_entry(connection, order, entry, now).await?;
    sqlx::query!(
        "UPDATE subscription SET next_run_at = $2, runs = runs + 1 WHERE id = $1",
        locked.id,
        now + CHECK_PERIOD,
    )
    .execute(connection)
    .instrument(span("UPDATE subscription"))
    .await?;
    Ok(Some(order))
}

/// Adds an attempt to charge an open renewal to the card that is saved now. Returns `false` if the
/// renewal can't be paid now, because another attempt is open or it is ending.
pub(crate) async fn retry(
    connection: &mut PgConnection,
    id: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let Some(locked) = change::lock_order(connection, id).await? else { return Ok(false) };
    let is_open = locked.state == State::AwaitingPayment && !locked.is_ending && now < locked.due_at;
    let Some(account) = locked.account.filter(|_| is_open) else { return Ok(false) };
    if payment::find_open(connection, id).await?.is_some() {
        return Ok(false);
    }
    add_charge(connection, (account, id), locked.total, locked.due_at, now).await?;
    change::schedule_check(connection, id, now + START_PERIOD, now).await?;
    Ok(true)
}

async fn add_charge(
    connection: &mut PgConnection,
    (account, order): (Uuid, Uuid),
    amount: i32,
    due_at: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let charge = prepare_payment(connection, account, Method::SavedCard, amount, due_at).await?;
    payment::add_payment(connection, order, &NewPayment { is_off_session: true, ..charge }, now).await
}
