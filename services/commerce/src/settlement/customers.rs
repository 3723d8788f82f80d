//! Customers at the provider.

use uuid::Uuid;

use super::Settlement;
use crate::customer;
use crate::provider::NewCustomer;
use crate::settlement_error::SettlementError;

impl Settlement {
    /// Returns the provider's customer of an account, and creates it if there is none. Repeated with the same key, it is
    /// the same customer. Not to be called within a transaction.
    pub(crate) async fn ensure_customer(
        &self,
        account: Uuid,
        email: &str,
        name: &str,
    ) -> Result<String, SettlementError> {
        if let Some(id) = customer::find(&mut *self.pool.acquire().await?, account).await? {
            return Ok(id);
        }
        let reference = account.to_string();
        let key = format!("customer:{reference}");
        let new = NewCustomer { key: &key, email, name, reference: &reference };
        let id = self.provider.create_customer(&new).await?;
        let mut transaction = self.pool.begin().await?;
        customer::store(&mut transaction, account, &id, self.clock.now()).await?;
        let stored = customer::find(&mut transaction, account).await?;
        transaction.commit().await?;
        Ok(stored.unwrap_or(id))
    }
}
