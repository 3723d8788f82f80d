//! Refunds, disputes and balance transactions at the provider.

use std::collections::HashMap;

use http::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use super::answer::{List, check_currency, parse};
use super::client::Call;
use super::{Provider, ProviderError, check_id};

/// Entries per page of a list, the provider's maximum.
const PAGE: &str = "100";
/// The key of our refund id in the provider's `metadata`.
const OWN_ID: &str = "refund";

/// A refund to create. Every attempt with one key has the same fields.
#[derive(Clone, Copy)]
pub struct NewRefund<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// Our id. The provider's refund includes it, so its event is matched even if the answer was
    /// lost.
    pub id: &'a str,
    /// The payment intent.
    pub intent: &'a str,
    /// Yen.
    pub amount: i32,
    /// The address at which the provider asks the buyer for a bank account. For payments that can't
    /// be refunded to their source.
    pub instructions_email: Option<&'a str>,
}

/// A refund at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderRefund {
    /// `re_…`.
    pub id: String,
    /// [`NewRefund::id`], or `None` for a refund that was made elsewhere.
    pub own_id: Option<String>,
    /// The payment intent.
    pub intent: Option<String>,
    /// Its state.
    pub state: ProviderRefundState,
    /// Yen.
    pub amount: i32,
}

/// The state of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderRefundState {
    /// In progress.
    Pending,
    /// The provider waits for the buyer's bank account.
    RequiresAction,
    /// Returned. It can still fail.
    Succeeded,
    /// Not returned.
    Failed,
    /// Unknown to this version of the API.
    Other,
}

/// A payment that the card's bank takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderDispute {
    /// `dp_…` or `du_…`.
    pub id: String,
    /// The payment intent.
    pub intent: Option<String>,
    /// Yen.
    pub amount: i32,
    /// Which party has the money.
    pub status: DisputeStatus,
}

/// The state of a dispute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeStatus {
    /// An inquiry of the bank, which takes no money yet.
    Inquiry,
    /// The bank holds the money until it decides.
    Open,
    /// The money was returned to the school.
    Won,
    /// The money was returned to the buyer.
    Lost,
    /// Unknown to this version of the API.
    Other,
}

/// A balance transaction: a movement of money at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceEntry {
    /// `txn_…`.
    pub id: String,
    /// E.g. `charge`, `refund`, `adjustment`, `payout`.
    pub kind: String,
    /// Yen, before the fee. Negative for outgoing money.
    pub amount: i64,
    /// The provider's fee in yen.
    pub fee: i64,
    /// Unix time.
    pub created: i64,
    /// The id of its cause, e.g. a refund.
    pub source: Option<String>,
}

impl Provider {
    /// Refunds a payment intent. The same key and refund give the same response for 24 h.
    pub async fn create_refund(&self, new: &NewRefund<'_>) -> Result<ProviderRefund, ProviderError> {
        let amount = new.amount.to_string();
        let mut form =
            vec![("payment_intent", new.intent), ("amount", amount.as_str()), ("metadata[refund]", new.id)];
        form.extend(new.instructions_email.map(|email| ("instructions_email", email)));
        let call = Call::new(Method::POST, "/v1/refunds").form(&form).key(new.key);
        parse_refund(&self.client.send(call).await?)
    }

    /// Gets a refund.
    pub async fn find_refund(&self, id: &str) -> Result<ProviderRefund, ProviderError> {
        check_id(id)?;
        parse_refund(&self.client.send(Call::new(Method::GET, "/v1/refunds/{id}").id(id)).await?)
    }

    /// Lists the refunds of a payment intent, newest first.
    pub async fn list_refunds(&self, intent: &str) -> Result<Vec<ProviderRefund>, ProviderError> {
        let form = [("payment_intent", intent), ("limit", PAGE)];
        let call = Call::new(Method::GET, "/v1/refunds").form(&form);
        let list: List<WireRefund> = parse(&self.client.send(call).await?)?;
        list.data.into_iter().map(read_refund).collect()
    }

    /// Gets a dispute.
    pub async fn find_dispute(&self, id: &str) -> Result<ProviderDispute, ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::GET, "/v1/disputes/{id}").id(id);
        let dispute: WireDispute = parse(&self.client.send(call).await?)?;
        read_dispute(dispute)
    }

    /// Lists the disputes of a payment intent, newest first.
    pub async fn list_disputes(&self, intent: &str) -> Result<Vec<ProviderDispute>, ProviderError> {
        let form = [("payment_intent", intent), ("limit", PAGE)];
        let call = Call::new(Method::GET, "/v1/disputes").form(&form);
        let list: List<WireDispute> = parse(&self.client.send(call).await?)?;
        list.data.into_iter().map(read_dispute).collect()
    }

    /// Lists the refunds that were made since `from`, newest first.
    pub async fn list_refunds_since(
        &self,
        from: OffsetDateTime,
    ) -> Result<Vec<ProviderRefund>, ProviderError> {
        let refunds: Vec<WireRefund> = self.list_since("/v1/refunds", from.unix_timestamp()).await?;
        refunds.into_iter().map(read_refund).collect()
    }

    /// Lists the disputes that were opened since `from`, newest first.
    pub async fn list_disputes_since(
        &self,
        from: OffsetDateTime,
    ) -> Result<Vec<ProviderDispute>, ProviderError> {
        let disputes: Vec<WireDispute> = self.list_since("/v1/disputes", from.unix_timestamp()).await?;
        disputes.into_iter().map(read_dispute).collect()
    }

    /// Lists the balance transactions since `from`, a Unix time, newest first.
    pub async fn list_balance(&self, from: i64) -> Result<Vec<BalanceEntry>, ProviderError> {
        let entries: Vec<WireBalanceEntry> = self.list_since("/v1/balance_transactions", from).await?;
        let read = |entry: WireBalanceEntry| {
            check_currency(&entry.currency)?;
            Ok(BalanceEntry {
                id: entry.id,
                kind: entry.r#type,
                amount: entry.amount,
                fee: entry.fee,
                created: entry.created,
                source: entry.source,
            })
        };
        entries.into_iter().map(read).collect()
    }

    /// Reads all pages of the objects created since `from`, a Unix time, newest first.
    async fn list_since<Item: Listed>(
        &self,
        path: &'static str,
        from: i64,
    ) -> Result<Vec<Item>, ProviderError> {
        let from = from.to_string();
        let mut items: Vec<Item> = Vec::new();
        loop {
            let mut form = vec![("created[gte]", from.as_str()), ("limit", PAGE)];
            form.extend(items.last().map(|last| ("starting_after", last.id())));
            let call = Call::new(Method::GET, path).form(&form);
            let page: List<Item> = parse(&self.client.send(call).await?)?;
            let is_last = !page.has_more || page.data.is_empty();
            items.extend(page.data);
            if is_last {
                return Ok(items);
            }
        }
    }
}

/// An object of a list.
trait Listed: DeserializeOwned {
    fn id(&self) -> &str;
}

impl Listed for WireRefund {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for WireDispute {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for WireBalanceEntry {
    fn id(&self) -> &str {
        &self.id
    }
}

/// Parses a refund.
pub(super) fn parse_refund(body: &[u8]) -> Result<ProviderRefund, ProviderError> {
    read_refund(parse(body)?)
}

fn read_refund(refund: WireRefund) -> Result<ProviderRefund, ProviderError> {
    check_currency(&refund.currency)?;
    let state = match refund.status.as_deref() {
        Some("pending") | None => ProviderRefundState::Pending,
        Some("requires_action") => ProviderRefundState::RequiresAction,
        Some("succeeded") => ProviderRefundState::Succeeded,
        Some("failed" | "canceled") => ProviderRefundState::Failed,
        Some(_) => ProviderRefundState::Other,
    };
    Ok(ProviderRefund {
        id: refund.id,
        own_id: refund.metadata.unwrap_or_default().remove(OWN_ID),
        intent: refund.payment_intent,
        state,
        amount: refund.amount,
    })
}

fn read_dispute(dispute: WireDispute) -> Result<ProviderDispute, ProviderError> {
    check_currency(&dispute.currency)?;
    let status = match dispute.status.as_str() {
        "won" | "warning_closed" | "prevented" => DisputeStatus::Won,
        "lost" => DisputeStatus::Lost,
        "warning_needs_response" | "warning_under_review" => DisputeStatus::Inquiry,
        "needs_response" | "under_review" => DisputeStatus::Open,
        _ => DisputeStatus::Other,
    };
    Ok(ProviderDispute { id: dispute.id, intent: dispute.payment_intent, amount: dispute.amount, status })
}

#[derive(Deserialize)]
struct WireRefund {
    id: String,
    amount: i32,
    currency: String,
    status: Option<String>,
    payment_intent: Option<String>,
    metadata: Option<HashMap<String, String>>,
}

#[derive(Deserialize)]
struct WireDispute {
    id: String,
    amount: i32,
    currency: String,
    status: String,
    payment_intent: Option<String>,
}

#[derive(Deserialize)]
struct WireBalanceEntry {
    id: String,
    r#type: String,
    amount: i64,
    fee: i64,
    currency: String,
    created: i64,
    source: Option<String>,
}
