//! Runs all queues at once, for tests that control when work is done.

use kit_db::outbox::{self, Queue};

use super::{
    Settlement, cards, customers, disputes, fulfilment, orders, provider_events, reconciliations, refunds,
    reminders, subscriptions, transfers,
};

impl Settlement {
    /// Processes all due items in the caller's task until none is left. Returns the number of
    /// items. For tests.
    #[doc(hidden)]
    pub async fn settle_due(&self) -> sqlx::Result<usize> {
        let mut all = 0;
        loop {
            let settled = self.deliver_due(provider_events::Events(self.clone())).await?
                + self.deliver_due(orders::DueOrders(self.clone())).await?
                + self.deliver_due(refunds::Refunds(self.clone())).await?
                + self.deliver_due(disputes::Disputes(self.clone())).await?
                + self.deliver_due(reconciliations::Lists(self.clone())).await?
                + self.deliver_due(transfers::WatchedAccounts(self.clone())).await?
                + self.deliver_due(customers::ErasedCustomers(self.clone())).await?
                + self.deliver_due(reminders::Reminders(self.clone())).await?
                + self.deliver_due(fulfilment::PaidOrders).await?
                + self.deliver_due(subscriptions::Subscriptions(self.clone())).await?
                + self.deliver_due(cards::OldCards(self.clone())).await?
                + self.deliver_due(cards::Setups(self.clone())).await?;
            if settled == 0 {
                return Ok(all);
            }
            all += settled;
        }
    }

    async fn deliver_due(&self, queue: impl Queue) -> sqlx::Result<usize> {
        outbox::deliver_due(&queue, &self.pool, &self.clock).await
    }
}
