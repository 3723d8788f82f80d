//! Saved cards: checks the pages on which they are entered, and detaches old ones.

use kit_db::Transaction;
use kit_db::outbox::{Backoff, LEASE, Queue, QueueState, Reach};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use tracing::Span;
use uuid::Uuid;

use super::{CHECK_PERIOD, Settlement};
use crate::buyer::Buyer;
use crate::card::setup::{self, DueSetup, PAGE_PERIOD};
use crate::card::{self, DetachedCard};
use crate::payment::Payment;
use crate::provider::{NewSetup, ProviderError, SavedCard, Session};
use crate::settlement_error::SettlementError;
use crate::subscription::{change, start};
use crate::{customer, erased_account, payment};

/// The pauses after failed calls to the provider.
const BACKOFF: Backoff = Backoff { first: Duration::seconds(5), longest: Duration::minutes(30) };

impl Settlement {
    /// Opens the provider's page on which the account enters a card, and returns its URL.
    pub(crate) async fn start_setup(&self, account: Uuid, buyer: &Buyer) -> Result<String, SettlementError> {
        let customer = self.ensure_customer(account, &buyer.email, &buyer.name).await?;
        let now = self.clock.now();
        let back = |how: &str| format!("{}/mypage/settings/card?setup={how}", self.site);
        let new = NewSetup {
            key: &format!("setup:{}", Uuid::now_v7()),
            customer: &customer,
            reference: &account.to_string(),
            expires_at: now + PAGE_PERIOD,
            success_url: &back("done"),
            cancel_url: &back("cancelled"),
        };
        let session = self.provider.create_setup(&new).await?;
        let Some(page_url) = session.page_url else {
            return Err(ProviderError::Unreachable("the answer has no page".to_owned()).into());
        };
        let mut transaction = self.pool.begin().await?;
        if !erased_account::is_erased(&mut transaction, account).await? {
            setup::store(&mut transaction, account, &session.id, now + PAGE_PERIOD, now + CHECK_PERIOD)
                .await?;
            start::update_buyer(&mut transaction, account, buyer).await?;
        }
        transaction.commit().await?;
        Ok(page_url)
    }

    /// Checks the provider's page on which the account entered a card.
    pub(crate) async fn check_setup(&self, account: Uuid) -> Result<(), SettlementError> {
        let session = setup::find(&mut *self.pool.acquire().await?, account).await?;
        match session {
            Some(session) => self.check_setup_session(&session).await.map(drop),
            None => Ok(()),
        }
    }

    /// Checks a page at the provider. Returns `true` if the page is finished.
    async fn check_setup_session(&self, id: &str) -> Result<bool, SettlementError> {
        let session = match self.provider.find_setup_session(id).await {
            Ok(session) => session,
            Err(ProviderError::NotFound) => {
                setup::delete_session(&mut *self.pool.acquire().await?, id).await?;
                return Ok(true);
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(setup) = &session.setup {
            self.save_setup(setup).await?;
        }
        if !session.is_open {
            setup::delete_session(&mut *self.pool.acquire().await?, id).await?;
        }
        Ok(!session.is_open)
    }

    /// Saves the card of a setup intent. Ignores intents of unknown customers, and intents whose
    /// account is not the customer's.
    pub(super) async fn save_setup(&self, id: &str) -> Result<(), SettlementError> {
        let setup = match self.provider.find_setup(id).await {
            Ok(setup) => setup,
            Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let (Some(customer), Some(payment_method)) = (setup.customer, setup.payment_method) else {
            return Ok(());
        };
        let account = customer::find_account(&mut *self.pool.acquire().await?, &customer).await?;
        let Some(account) = account.filter(|account| setup.reference == Some(account.to_string())) else {
            tracing::warn!(setup = id, "a card was entered for no account");
            return Ok(());
        };
        let Some(found) = self.find_card(&payment_method).await? else { return Ok(()) };
        if found.customer != Some(customer) {
            // The card was detached in the meantime.
            return Ok(());
        }
        let mut transaction = self.pool.begin().await?;
        if erased_account::is_erased(&mut transaction, account).await? {
            // The customer is deleted at the provider, and the card with it.
            return Ok(());
        }
        self.save_card(&mut transaction, account, &found).await?;
        transaction.commit().await?;
        self.new_card.wake();
        Ok(())
    }

    /// Saves a card of an account. Charges that are past due are repeated with it at once.
    pub(super) async fn save_card(
        &self,
        transaction: &mut Transaction,
        account: Uuid,
        found: &SavedCard,
    ) -> sqlx::Result<()> {
        let now = self.clock.now();
        if card::save(transaction, account, found, now).await? {
            change::hasten(transaction, account, now).await?;
        }
        Ok(())
    }

    /// Finds the card that was saved with a payment on the provider's page, or `None` if no card
    /// was to be saved.
    pub(super) async fn find_paid_card(
        &self,
        payment: &Payment,
        session: &Session,
    ) -> Result<Option<SavedCard>, SettlementError> {
        let Some(id) = session.card.as_deref().filter(|_| session.is_paid) else { return Ok(None) };
        let label = payment::find_order_label(&mut *self.pool.acquire().await?, payment.order).await?;
        if !label.has_subscription {
            return Ok(None);
        }
        // A card that could not be saved has no customer.
        Ok(self.find_card(id).await?.filter(|card| card.customer.is_some()))
    }

    async fn find_card(&self, id: &str) -> Result<Option<SavedCard>, SettlementError> {
        match self.provider.find_card(id).await {
            Ok(card) => Ok(Some(card)),
            Err(ProviderError::NotFound) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Handles a card that was detached, perhaps not by us. It can no longer be charged.
    pub(super) async fn check_detached(&self, id: &str) -> Result<(), SettlementError> {
        let found = self.find_card(id).await?;
        if found.is_none_or(|card| card.customer.is_none()) {
            card::delete(&mut *self.pool.acquire().await?, id).await?;
        }
        Ok(())
    }
}

/// The queue of cards to detach at the provider.
#[derive(Clone)]
pub(super) struct OldCards(pub(super) Settlement);

impl Queue for OldCards {
    type Item = DetachedCard;
    type Outcome = Result<(), ProviderError>;

    async fn take(
        &self,
        database: &mut PgConnection,
        now: OffsetDateTime,
    ) -> sqlx::Result<Option<DetachedCard>> {
        card::take_due(database, LEASE, now).await
    }

    fn span(&self, _: &DetachedCard) -> Span {
        tracing::info_span!(parent: None, "detach", otel.name = "detach card")
    }

    async fn deliver(&self, card: &DetachedCard) -> Self::Outcome {
        match self.0.provider.detach_card(&card.payment_method).await {
            // It is already detached.
            Err(ProviderError::Refused { status: 400, .. } | ProviderError::NotFound) => Ok(()),
            result => result,
        }
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        card: &DetachedCard,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        card::postpone(database, card, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        card: &DetachedCard,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        if outcome.is_ok() {
            card::delete(database, &card.payment_method).await?;
            return Ok(Reach::Reached);
        }
        card::postpone(database, card, now + BACKOFF.pause(card.tries)).await?;
        Ok(Reach::Unreachable("the provider gives no answer"))
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        card::probe(database, now).await
    }
}

/// The queue of pages on which cards are entered.
#[derive(Clone)]
pub(super) struct Setups(pub(super) Settlement);

impl Queue for Setups {
    type Item = DueSetup;
    type Outcome = Result<bool, SettlementError>;

    async fn take(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Option<DueSetup>> {
        setup::take_due(database, LEASE, now).await
    }

    fn span(&self, _: &DueSetup) -> Span {
        tracing::info_span!(parent: None, "check", otel.name = "check card setup")
    }

    async fn deliver(&self, setup: &DueSetup) -> Self::Outcome {
        self.0.check_setup_session(&setup.session).await
    }

    async fn extend_lease(
        &self,
        database: &mut PgConnection,
        setup: &DueSetup,
        now: OffsetDateTime,
    ) -> sqlx::Result<()> {
        setup::postpone(database, setup, now + LEASE).await
    }

    async fn settle(
        &self,
        database: &mut PgConnection,
        setup: &DueSetup,
        outcome: Self::Outcome,
        now: OffsetDateTime,
    ) -> sqlx::Result<Reach> {
        let pause = if outcome.is_ok() { CHECK_PERIOD } else { BACKOFF.pause(setup.tries) };
        setup::postpone(database, setup, now + pause).await?;
        let Err(error) = outcome else { return Ok(Reach::Reached) };
        let reach = error.reach();
        if reach == Reach::Reached {
            let error = kit::error::chain(&error);
            tracing::error!(session = setup.session, error, "the page of a card could not be checked");
        }
        Ok(reach)
    }

    async fn probe(&self, database: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<QueueState> {
        setup::probe(database, now).await
    }
}
