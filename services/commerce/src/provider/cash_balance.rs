//! The cash balance of a customer, which receives bank transfers.

use http::Method;
use serde::Deserialize;
use time::OffsetDateTime;

use super::client::Call;
use super::returned::parse_refund;
use super::{Provider, ProviderError, ProviderRefund, answer, check_id};

/// Transactions per page, the provider's maximum.
const PAGE: &str = "100";

/// A bank transfer that arrived in the cash balance of a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FundedTransfer {
    /// `ccsbtxn_…`.
    pub id: String,
    /// Yen.
    pub amount: i32,
    /// When it arrived.
    pub received_at: OffsetDateTime,
    /// The name as the bank sent it.
    pub sender_name: String,
}

impl Provider {
    /// Sets manual reconciliation, so commerce decides which payment a customer's transfers are
    /// for. Idempotent.
    pub async fn set_manual_matching(&self, customer: &str) -> Result<(), ProviderError> {
        check_id(customer)?;
        let form = [("settings[reconciliation_mode]", "manual")];
        let call = Call::new(Method::POST, "/v1/customers/{id}/cash_balance").id(customer).form(&form);
        self.client.send(call).await?;
        Ok(())
    }

    /// Lists all bank transfers that ever arrived in the cash balance of a customer, newest first.
    pub async fn list_transfers(&self, customer: &str) -> Result<Vec<FundedTransfer>, ProviderError> {
        check_id(customer)?;
        let mut transfers = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let mut form = vec![("limit", PAGE)];
            form.extend(after.as_deref().map(|id| ("starting_after", id)));
            let call = Call::new(Method::GET, "/v1/customers/{id}/cash_balance_transactions");
            let page: Transactions = answer::parse(&self.client.send(call.id(customer).form(&form)).await?)?;
            after = page.data.last().map(|last| last.id.clone()).filter(|_| page.has_more);
            for transaction in page.data {
                transfers.extend(transaction.into_transfer()?);
            }
            if after.is_none() {
                return Ok(transfers);
            }
        }
    }

    /// Gets the cash balance of a customer in yen.
    pub async fn find_balance(&self, customer: &str) -> Result<i32, ProviderError> {
        check_id(customer)?;
        let call = Call::new(Method::GET, "/v1/customers/{id}/cash_balance").id(customer);
        let balance: CashBalance = answer::parse(&self.client.send(call).await?)?;
        Ok(balance.available.and_then(|available| available.jpy).unwrap_or(0))
    }

    /// Returns `amount` yen of a customer's cash balance to the sender. The same key and amount
    /// give the same response for 24 h.
    pub async fn return_balance(
        &self,
        customer: &str,
        amount: i32,
        key: &str,
    ) -> Result<ProviderRefund, ProviderError> {
        let amount = amount.to_string();
        let form = [
            ("origin", "customer_balance"),
            ("customer", customer),
            ("amount", &amount),
            ("currency", answer::CURRENCY),
        ];
        let call = Call::new(Method::POST, "/v1/refunds").form(&form).key(key);
        parse_refund(&self.client.send(call).await?)
    }
}

#[derive(Deserialize)]
struct Transactions {
    data: Vec<Transaction>,
    #[serde(default)]
    has_more: bool,
}

#[derive(Deserialize)]
struct Transaction {
    id: String,
    r#type: String,
    created: i64,
    net_amount: i32,
    currency: String,
    funded: Option<Funded>,
}

impl Transaction {
    /// Returns `None` for a transaction of another type.
    fn into_transfer(self) -> Result<Option<FundedTransfer>, ProviderError> {
        if self.r#type != "funded" || self.net_amount <= 0 {
            return Ok(None);
        }
        answer::check_currency(&self.currency)?;
        let received_at = OffsetDateTime::from_unix_timestamp(self.created)
            .map_err(|_| answer::unreadable("the time of a transfer"))?;
        let sender = self.funded.and_then(|funded| funded.bank_transfer?.jp_bank_transfer?.sender_name);
        let (id, amount) = (self.id, self.net_amount);
        Ok(Some(FundedTransfer { id, amount, received_at, sender_name: sender.unwrap_or_default() }))
    }
}

#[derive(Deserialize)]
struct Funded {
    bank_transfer: Option<BankTransfer>,
}

#[derive(Deserialize)]
struct BankTransfer {
    jp_bank_transfer: Option<JpBankTransfer>,
}

#[derive(Deserialize)]
struct JpBankTransfer {
    sender_name: Option<String>,
}

#[derive(Deserialize)]
struct CashBalance {
    available: Option<Available>,
}

#[derive(Deserialize)]
struct Available {
    jpy: Option<i32>,
}
