//! Saved cards at the provider, and payments with them.

use http::Method;
use serde::Deserialize;
use time::OffsetDateTime;

use super::answer::{CURRENCY, List, PaymentError, check_currency, find_reason, parse, unreadable};
use super::client::Call;
use super::{Provider, ProviderError, check_id};

/// The number of a customer's intents to search, newest first.
const INTENTS: &str = "100";

/// A page to create on which a buyer enters a card. It takes no payment.
#[derive(Clone, Copy)]
pub struct NewSetup<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// The provider's customer.
    pub customer: &'a str,
    /// The account's id.
    pub reference: &'a str,
    /// When the page closes: 30 minutes to 24 hours from now.
    pub expires_at: OffsetDateTime,
    /// Where the page sends the buyer afterwards.
    pub success_url: &'a str,
    /// The target of the page's back link.
    pub cancel_url: &'a str,
}

/// A page on which a buyer enters a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupSession {
    /// `cs_…`.
    pub id: String,
    /// The provider's page; only while it is open.
    pub page_url: Option<String>,
    /// Whether the page is open.
    pub is_open: bool,
    /// The id of the setup intent.
    pub setup: Option<String>,
}

/// A setup intent: a card that was entered to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The provider's customer.
    pub customer: Option<String>,
    /// The account's id: [`NewSetup::reference`].
    pub reference: Option<String>,
    /// The saved card, if it can be charged off session.
    pub payment_method: Option<String>,
}

/// A card at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCard {
    /// `pm_…`.
    pub payment_method: String,
    /// The customer that it is attached to.
    pub customer: Option<String>,
    /// E.g. `visa`.
    pub brand: String,
    /// The last four digits.
    pub last4: String,
    /// From 1.
    pub exp_month: i16,
    /// E.g. 2030.
    pub exp_year: i16,
    /// When it was entered.
    pub created_at: OffsetDateTime,
}

/// A payment with a saved card to create. Every attempt with one key has the same fields.
#[derive(Clone, Copy)]
pub struct NewCharge<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// The provider's customer.
    pub customer: &'a str,
    /// The card.
    pub payment_method: &'a str,
    /// Yen.
    pub amount: i32,
    /// The payment's id.
    pub payment: &'a str,
    /// The order's id.
    pub order: &'a str,
    /// The order's number, for people.
    pub number: &'a str,
    /// Where 3-D Secure sends the buyer back to. `None` for a payment off session: a card that
    /// requires 3-D Secure is declined with `authentication_required`.
    pub return_url: Option<&'a str>,
}

/// The state of a payment with a saved card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardIntentStatus {
    /// The buyer must complete 3-D Secure, or the bank has not answered.
    Open,
    /// The card was charged.
    Succeeded,
    /// The card was refused, or 3-D Secure failed.
    Refused,
    /// It can no longer be paid.
    Cancelled,
    /// Unknown to this version of the API.
    Other,
}

/// A payment with a saved card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardIntent {
    /// `pi_…`.
    pub id: String,
    /// Its state.
    pub status: CardIntentStatus,
    /// Yen.
    pub amount: i32,
    /// The page of 3-D Secure.
    pub page_url: Option<String>,
    /// Why the card was refused.
    pub decline_code: Option<String>,
    /// The payment's id: [`NewCharge::payment`].
    pub payment: Option<String>,
}

impl Provider {
    /// Creates a page on which the buyer enters a card.
    pub async fn create_setup(&self, new: &NewSetup<'_>) -> Result<SetupSession, ProviderError> {
        let expires_at = new.expires_at.unix_timestamp().to_string();
        let form = [
            ("mode", "setup"),
            ("locale", "ja"),
            ("currency", CURRENCY),
            ("customer", new.customer),
            ("client_reference_id", new.reference),
            ("expires_at", &expires_at),
            ("success_url", new.success_url),
            ("cancel_url", new.cancel_url),
            ("payment_method_types[0]", "card"),
            ("metadata[account]", new.reference),
            ("setup_intent_data[metadata][account]", new.reference),
        ];
        let call = Call::new(Method::POST, "/v1/checkout/sessions").form(&form).key(new.key);
        parse_setup_session(&self.client.send(call).await?)
    }

    /// Gets a page on which a buyer enters a card.
    pub async fn find_setup_session(&self, id: &str) -> Result<SetupSession, ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::GET, "/v1/checkout/sessions/{id}").id(id);
        parse_setup_session(&self.client.send(call).await?)
    }

    /// Gets a setup intent.
    pub async fn find_setup(&self, id: &str) -> Result<Setup, ProviderError> {
        check_id(id)?;
        parse_setup(&self.client.send(Call::new(Method::GET, "/v1/setup_intents/{id}").id(id)).await?)
    }

    /// Gets a card.
    pub async fn find_card(&self, id: &str) -> Result<SavedCard, ProviderError> {
        check_id(id)?;
        parse_card(&self.client.send(Call::new(Method::GET, "/v1/payment_methods/{id}").id(id)).await?)
    }

    /// Detaches a card from its customer, so it can never be charged again. A detached card returns
    /// [`ProviderError::Refused`].
    pub async fn detach_card(&self, id: &str) -> Result<(), ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::POST, "/v1/payment_methods/{id}/detach").id(id);
        self.client.send(call).await.map(drop)
    }

    /// Pays with a saved card. A refused card returns [`ProviderError::Declined`]. The same key and
    /// charge give the same response for 24 h.
    pub async fn charge_card(&self, new: &NewCharge<'_>) -> Result<CardIntent, ProviderError> {
        let amount = new.amount.to_string();
        let presence = match new.return_url {
            Some(url) => ("return_url", url),
            None => ("off_session", "true"),
        };
        let form = [
            ("amount", amount.as_str()),
            ("currency", CURRENCY),
            ("customer", new.customer),
            ("payment_method", new.payment_method),
            ("payment_method_types[0]", "card"),
            ("confirm", "true"),
            presence,
            ("description", new.number),
            ("metadata[payment]", new.payment),
            ("metadata[order]", new.order),
            ("metadata[number]", new.number),
        ];
        let call = Call::new(Method::POST, "/v1/payment_intents").form(&form).key(new.key);
        parse_card_intent(&self.client.send(call).await?)
    }

    /// Gets a payment with a saved card.
    pub async fn find_charge(&self, id: &str) -> Result<CardIntent, ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::GET, "/v1/payment_intents/{id}").id(id);
        parse_card_intent(&self.client.send(call).await?)
    }

    /// Finds the payment intent of a payment with a saved card, among the customer's intents since
    /// a time. Used if the answer was lost, because the provider forgets idempotency keys after
    /// 24 h.
    pub async fn find_charge_of_payment(
        &self,
        customer: &str,
        payment: &str,
        since: OffsetDateTime,
    ) -> Result<Option<CardIntent>, ProviderError> {
        let since = since.unix_timestamp().to_string();
        let form = [("customer", customer), ("created[gte]", &since), ("limit", INTENTS)];
        let call = Call::new(Method::GET, "/v1/payment_intents").form(&form);
        let intents = parse_card_intents(&self.client.send(call).await?)?;
        Ok(intents.into_iter().find(|intent| intent.payment.as_deref() == Some(payment)))
    }

    /// Cancels a payment with a saved card that waits for 3-D Secure. If it does not wait, returns
    /// [`ProviderError::Refused`]: get its state.
    pub async fn cancel_charge(&self, id: &str) -> Result<CardIntent, ProviderError> {
        check_id(id)?;
        let call = Call::new(Method::POST, "/v1/payment_intents/{id}/cancel").id(id);
        parse_card_intent(&self.client.send(call).await?)
    }
}

fn parse_setup_session(body: &[u8]) -> Result<SetupSession, ProviderError> {
    let session: WireSetupSession = parse(body)?;
    let is_open = session.status.as_deref() == Some("open");
    Ok(SetupSession { id: session.id, page_url: session.url, is_open, setup: session.setup_intent })
}

fn parse_setup(body: &[u8]) -> Result<Setup, ProviderError> {
    let setup: WireSetup = parse(body)?;
    let is_saved =
        setup.status.as_deref() == Some("succeeded") && setup.usage.as_deref() == Some("off_session");
    Ok(Setup {
        customer: setup.customer,
        reference: setup.metadata.account,
        payment_method: setup.payment_method.filter(|_| is_saved),
    })
}

fn parse_card(body: &[u8]) -> Result<SavedCard, ProviderError> {
    let method: WireMethod = parse(body)?;
    let card = method.card.ok_or_else(|| unreadable("a payment method without card"))?;
    let created_at = OffsetDateTime::from_unix_timestamp(method.created);
    Ok(SavedCard {
        payment_method: method.id,
        customer: method.customer,
        brand: card.brand,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        created_at: created_at.map_err(|error| unreadable(&error.to_string()))?,
    })
}

fn parse_card_intent(body: &[u8]) -> Result<CardIntent, ProviderError> {
    read_intent(parse(body)?)
}

fn parse_card_intents(body: &[u8]) -> Result<Vec<CardIntent>, ProviderError> {
    let list: List<WireCardIntent> = parse(body)?;
    list.data.into_iter().map(read_intent).collect()
}

fn read_intent(intent: WireCardIntent) -> Result<CardIntent, ProviderError> {
    check_currency(&intent.currency)?;
    let status = match intent.status.as_deref() {
        Some("requires_action" | "processing" | "requires_confirmation") => CardIntentStatus::Open,
        Some("succeeded") => CardIntentStatus::Succeeded,
        Some("requires_payment_method") => CardIntentStatus::Refused,
        Some("canceled") => CardIntentStatus::Cancelled,
        _ => CardIntentStatus::Other,
    };
    Ok(CardIntent {
        id: intent.id,
        status,
        amount: intent.amount,
        page_url: intent.next_action.and_then(|action| action.redirect_to_url).map(|redirect| redirect.url),
        decline_code: intent.last_payment_error.map(find_reason),
        payment: intent.metadata.payment,
    })
}

#[derive(Deserialize)]
struct WireSetupSession {
    id: String,
    status: Option<String>,
    url: Option<String>,
    setup_intent: Option<String>,
}

#[derive(Deserialize)]
struct WireSetup {
    status: Option<String>,
    usage: Option<String>,
    customer: Option<String>,
    payment_method: Option<String>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    account: Option<String>,
    payment: Option<String>,
}

#[derive(Deserialize)]
struct WireMethod {
    id: String,
    customer: Option<String>,
    created: i64,
    card: Option<WireCard>,
}

#[derive(Deserialize)]
struct WireCard {
    brand: String,
    last4: String,
    exp_month: i16,
    exp_year: i16,
}

#[derive(Deserialize)]
struct WireCardIntent {
    id: String,
    status: Option<String>,
    amount: i32,
    currency: String,
    next_action: Option<NextAction>,
    last_payment_error: Option<PaymentError>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct NextAction {
    redirect_to_url: Option<Redirect>,
}

#[derive(Deserialize)]
struct Redirect {
    url: String,
}
