//! Customers at the provider.

use http::Method;

use super::answer;
use super::client::Call;
use super::{Provider, ProviderError, check_id};

/// A customer to create. Every attempt with one key has the same fields.
#[derive(Clone, Copy)]
pub struct NewCustomer<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// The address for emails from the provider, if it sends any.
    pub email: &'a str,
    /// Family name and given name.
    pub name: &'a str,
    /// The account's id.
    pub reference: &'a str,
}

impl Provider {
    /// Creates a customer and returns its id, `cus_…`. The same key and customer give the same
    /// response for 24 h.
    pub async fn create_customer(&self, new: &NewCustomer<'_>) -> Result<String, ProviderError> {
        let form = [("email", new.email), ("name", new.name), ("metadata[account]", new.reference)];
        let call = Call::new(Method::POST, "/v1/customers").form(&form).key(new.key);
        answer::parse_id(&self.client.send(call).await?)
    }

    /// Deletes a customer with all its data at the provider.
    pub async fn delete_customer(&self, id: &str) -> Result<(), ProviderError> {
        check_id(id)?;
        self.client.send(Call::new(Method::DELETE, "/v1/customers/{id}").id(id)).await?;
        Ok(())
    }
}
