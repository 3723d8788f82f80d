//! The settlement of payments: queries the provider and books the results.
//!
//! The provider is the source of truth for payments. Webhook events, the pages that a buyer returns
//! to, and timers only trigger a query. The answer is applied in one transaction that locks the
//! order, so triggers may arrive in any order, more than once, or in several processes at once. No
//! call to the provider is made within a transaction.

mod cards;
mod charges;
mod customers;
mod disputes;
mod due;
mod fulfilment;
mod intents;
mod orders;
mod outcome;
mod provider_events;
mod reconciliations;
mod refunds;
mod reminders;
mod reported_intents;
mod sessions;
mod subscriptions;
mod transfers;

use std::sync::Arc;
use std::time::Duration as StdDuration;

use kit::clock::Clock;
use kit::metrics::{Kind, Metric};
use kit::shutdown::Shutdown;
use kit::trace;
use kit_db::outbox::{Ages, Dispatcher, Outbox, Prober, Queue, Wake};
use kit_db::{Pool, Transaction};
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use outcome::{Outcome, SETTLED, SETTLED_PAYMENTS};

use crate::order::State;
use crate::order::change::{self, Ending, LockedOrder, Wait};
use crate::payment::{self, Method, Payment};
use crate::provider::{Provider, ProviderError};
use crate::provider_event;
use crate::refund;
use crate::settlement_error::SettlementError;

/// The polling interval of each queue in production. Urgent items wake the queue earlier.
pub(crate) const PERIOD: StdDuration = StdDuration::from_secs(2);
/// The interval between checks of an open payment after its page was shown to the buyer.
const CHECK_PERIOD: Duration = Duration::minutes(2);
/// The same for payments without a page, which are open for days. If all events are lost, a payment
/// is found within this time.
const INTENT_CHECK_PERIOD: Duration = Duration::minutes(4);
/// When an order is checked again after the provider did not answer.
const RETRY_PERIOD: Duration = Duration::seconds(5);

/// The age of the oldest item of each queue.
const AGE: Metric = Metric {
    name: "konomana_settlement_age_seconds",
    kind: Kind::Gauge,
    labels: &["queue"],
    help: "Age of the oldest provider event, refund, paid order, renewal, reminder or erased customer that is not dealt with, of an open dispute, of an order past its due time, of a bank account past its check, or of a list of the provider past its run; 0 if there is none",
};
/// The metrics of the settlement.
pub const METRICS: &[Metric] = &[SETTLED, AGE];

/// The queues of the settlement.
struct Queues<'a> {
    settlement: &'a Settlement,
    ages: Ages,
    prober: Prober,
    shutdown: &'a Shutdown,
}

impl Queues<'_> {
    /// Processes a queue with this many workers.
    fn dispatch(&mut self, queue: impl Queue, name: &'static str, workers: u16, wake: &Wake) {
        let dispatcher = Dispatcher {
            queue,
            receiver: name,
            pool: self.settlement.pool.clone(),
            clock: self.settlement.clock.clone(),
            wake: wake.clone(),
            age: self.ages.add(name),
        };
        dispatcher.spawn(workers, &mut self.prober, self.shutdown);
    }
}

/// Queries the provider and books its answers. Cheap to clone.
#[derive(Clone)]
pub struct Settlement {
    pool: Pool,
    provider: Provider,
    outbox: Outbox,
    clock: Clock,
    /// The origin of the site.
    site: Arc<str>,
    new_event: Wake,
    new_refund: Wake,
    new_card: Wake,
}

impl Settlement {
    /// `site` is the origin of the pages that buyers return to from the provider.
    #[must_use]
    pub fn new(pool: Pool, provider: Provider, outbox: Outbox, clock: Clock, site: &str) -> Self {
        let site = site.trim_end_matches('/').into();
        Self {
            pool,
            provider,
            outbox,
            clock,
            site,
            new_event: Wake::default(),
            new_refund: Wake::default(),
            new_card: Wake::default(),
        }
    }

    /// Processes the queues until `shutdown`: webhook events, orders with an open payment, refunds,
    /// the delivery of paid orders, renewals of subscriptions, and cards. Several processes may do
    /// this at once. Each queue is polled every `period`.
    pub fn spawn(&self, period: StdDuration, shutdown: &Shutdown) {
        let prober = Prober::new(&self.pool, period);
        let mut queues = Queues { settlement: self, ages: Ages::new(&AGE), prober, shutdown };
        let events = provider_events::Events(self.clone());
        queues.dispatch(events, "provider_events", 2, &self.new_event);
        queues.dispatch(orders::DueOrders(self.clone()), "orders", 2, &Wake::default());
        queues.dispatch(refunds::Refunds(self.clone()), "refunds", 1, &self.new_refund);
        queues.dispatch(disputes::Disputes(self.clone()), "disputes", 1, &Wake::default());
        let lists = reconciliations::Lists(self.clone());
        queues.dispatch(lists, "reconciliation", 1, &Wake::default());
        let accounts = transfers::WatchedAccounts(self.clone());
        queues.dispatch(accounts, "transfer_accounts", 1, &Wake::default());
        let customers = customers::ErasedCustomers(self.clone());
        queues.dispatch(customers, "erased_customers", 1, &Wake::default());
        let reminders = reminders::Reminders(self.clone());
        queues.dispatch(reminders, "reminders", 1, &Wake::default());
        let delivered = self.outbox.delivered();
        queues.dispatch(fulfilment::PaidOrders, "fulfilment", 1, &delivered);
        let subscriptions = subscriptions::Subscriptions(self.clone());
        queues.dispatch(subscriptions, "subscriptions", 1, &self.new_card);
        queues.dispatch(cards::OldCards(self.clone()), "cards", 1, &Wake::default());
        queues.dispatch(cards::Setups(self.clone()), "card_setups", 1, &Wake::default());
        queues.ages.register_metrics(&self.clock);
        queues.prober.spawn(shutdown);
        provider_event::expose_metrics();
        for outcome in Outcome::ALL {
            SETTLED_PAYMENTS.expose([outcome.label()]);
        }
    }

    /// The provider, for the verification of its events.
    pub(crate) fn provider(&self) -> &Provider {
        &self.provider
    }

    /// The outbox of the events about orders.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Wakes the delivery of the grants of an order that was paid without the provider, and counts
    /// the payment. Call it after the commit.
    pub(crate) fn announce_paid(&self) {
        self.outbox.wake();
        SETTLED_PAYMENTS.increment([Outcome::Paid.label()]);
    }

    /// Wakes the processing of stored events. Call it after the commit.
    pub(crate) fn wake_events(&self) {
        self.new_event.wake();
    }

    /// Starts the payment of an order at the provider, unless it was started already. Without an
    /// answer, the payment's state is unknown, and the order is checked again.
    pub(crate) async fn start_payment(&self, order: Uuid) -> Result<(), SettlementError> {
        match self.find_open_payment(order).await? {
            Some(payment) if !payment.is_started() => match self.check_payment(&payment).await {
                Err(
                    SettlementError::Provider(ProviderError::Unreachable(_))
                    | SettlementError::UnknownState(_),
                ) => Ok(()),
                result => result,
            },
            _ => Ok(()),
        }
    }

    /// Queries the provider about the payment of an order that awaits it. If the order is overdue
    /// or its account was erased, it ends, unless it was paid.
    pub(crate) async fn check_order(&self, order: Uuid) -> Result<(), SettlementError> {
        let now = self.clock.now();
        match change::find_wait(&mut *self.pool.acquire().await?, order, now).await? {
            None => return Ok(()),
            Some(Wait::IsOver(ending)) => return self.end_order(order, ending).await,
            Some(Wait::GoesOn) => {}
        }
        match self.find_open_payment(order).await? {
            Some(payment) => self.check_payment(&payment).await,
            // The last attempt failed, and the buyer may try again until the order is due.
            None => Ok(()),
        }
    }

    /// Queries the provider about an open payment.
    pub(crate) async fn check_payment(&self, payment: &Payment) -> Result<(), SettlementError> {
        match payment.method {
            Method::Card => match &payment.session {
                Some(session) => self.apply(payment, &self.provider.find_session(session).await?).await,
                None => self.create_session(payment).await,
            },
            Method::Konbini | Method::BankTransfer => {
                let Some(intent) = &payment.intent else { return self.create_intent(payment).await };
                if let Some(customer) = &payment.customer {
                    self.check_transfers(customer).await?;
                }
                self.check_intent(payment, intent).await
            }
            Method::SavedCard => self.check_charge(payment).await,
            // A payment by coupon is never open.
            Method::Coupon => Ok(()),
        }
    }

    /// Closes the open payment of an order at the provider. If the payment was made in the
    /// meantime, books it.
    pub(crate) async fn close_open_payment(
        &self,
        order: Uuid,
        ending: Ending,
    ) -> Result<(), SettlementError> {
        match self.find_open_payment(order).await? {
            Some(payment) => self.end_payment(payment, ending).await,
            None => Ok(()),
        }
    }

    /// Ends an order that awaits payment. First closes its page at the provider, so it can no
    /// longer be paid, then ends the order. If the payment was made in the meantime, books it
    /// instead.
    pub(crate) async fn end_order(&self, order: Uuid, ending: Ending) -> Result<(), SettlementError> {
        self.close_open_payment(order, ending).await?;
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let Some(locked) = change::lock_order(&mut transaction, order).await? else { return Ok(()) };
        if locked.state != State::AwaitingPayment {
            return Ok(());
        }
        // A new attempt may have started in the meantime.
        if let Some(payment) = payment::find_open(&mut transaction, order).await?
            && payment.is_started()
        {
            return Err(SettlementError::NotClosed);
        }
        let had_payment = change::end_order(&mut transaction, &self.outbox, &locked, ending, now).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.new_refund.wake();
        if had_payment {
            SETTLED_PAYMENTS.increment([Outcome::from(ending).label()]);
        }
        Ok(())
    }

    /// Ends an open payment at the provider, unless it was made in the meantime.
    async fn end_payment(&self, mut payment: Payment, ending: Ending) -> Result<(), SettlementError> {
        if payment.method == Method::SavedCard {
            return self.close_charge(&payment).await;
        }
        // A transfer that arrived in time counts, even if it was not seen before.
        if let Some(customer) = &payment.customer {
            self.check_transfers(customer).await?;
        }
        let is_intent = matches!(payment.method, Method::Konbini | Method::BankTransfer);
        if is_intent && payment.intent.is_none() && payment.state == payment::State::Unknown {
            // The intent may exist at the provider.
            self.create_intent(&payment).await?;
            let Some(found) = self.find_open_payment(payment.order).await? else { return Ok(()) };
            payment = found;
        }
        match (&payment.session, &payment.intent) {
            (Some(session), _) => self.close_page(&payment, session).await,
            (None, Some(intent)) => self.cancel_intent(&payment, intent, ending).await,
            // The buyer has seen no page and no instructions.
            (None, None) => Ok(()),
        }
    }

    /// Wakes the queue of refunds. Call it after the commit.
    pub(crate) fn wake_refunds(&self) {
        self.outbox.wake();
        self.new_refund.wake();
    }

    async fn find_open_payment(&self, order: Uuid) -> sqlx::Result<Option<Payment>> {
        payment::find_open(&mut *self.pool.acquire().await?, order).await
    }

    async fn mark_unknown(&self, payment: &Payment) -> sqlx::Result<()> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        if change::lock_order(&mut transaction, payment.order).await?.is_none() {
            return Ok(());
        }
        if payment::mark_unknown(&mut transaction, payment.id).await? {
            change::schedule_check(&mut transaction, payment.order, now + RETRY_PERIOD, now).await?;
        }
        transaction.commit().await
    }

    async fn close_payment(
        &self,
        payment: &Payment,
        state: payment::State,
        outcome: Outcome,
    ) -> Result<(), SettlementError> {
        let mut transaction = self.pool.begin().await?;
        if change::lock_order(&mut transaction, payment.order).await?.is_none() {
            return Ok(());
        }
        let is_closed = payment::close_payment(&mut transaction, payment.id, state, self.clock.now()).await?;
        transaction.commit().await?;
        if is_closed {
            SETTLED_PAYMENTS.increment([outcome.label()]);
        }
        Ok(())
    }

    fn settlement_span(payment: &Payment) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "settle",
            otel.name = "settle payment",
            payment.outcome = tracing::field::Empty,
        );
        trace::follow(&span, payment.traceparent.as_deref());
        // Links in both directions, between the event's trace and the order's.
        trace::link_to_current(&span);
        trace::link_current_to(&span);
        span
    }

    /// Books a successful payment. The order and the payment, whose previous state is `state`, are
    /// locked. A success overrides every other state. A payment that no order awaits is refunded.
    async fn book_success(
        &self,
        transaction: &mut Transaction,
        order: &LockedOrder,
        payment: &Payment,
        state: payment::State,
        amount: i32,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<Outcome>> {
        if state == payment::State::Succeeded {
            return Ok(None);
        }
        payment::mark_succeeded(transaction, payment.id, now).await?;
        if amount != payment.amount {
            tracing::error!(
                order = order.number,
                amount,
                expected = payment.amount,
                "a payment has another amount than its order and is refunded"
            );
        }
        if order.state == State::AwaitingPayment && !order.is_ending && amount == payment.amount {
            change::pay_order(transaction, &self.outbox, order, payment, now).await?;
            Ok(Some(Outcome::Paid))
        } else {
            refund::return_payment(transaction, payment, amount, now).await?;
            Ok(Some(Outcome::Returned))
        }
    }

    /// Counts the outcome of a payment, and wakes the follow-up queues. Call it after the commit.
    fn announce_outcome(&self, outcome: Option<Outcome>) {
        let Some(outcome) = outcome else { return };
        Span::current().record("payment.outcome", outcome.label());
        SETTLED_PAYMENTS.increment([outcome.label()]);
        self.outbox.wake();
        if outcome == Outcome::Returned {
            self.new_refund.wake();
        }
    }
}
