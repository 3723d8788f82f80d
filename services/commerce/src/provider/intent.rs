//! Payment intents: payments at convenience stores and by bank transfer, without the provider's
//! page.

use http::Method;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::client::Call;
use super::{Provider, ProviderError, answer, check_id};

/// The product description on the convenience store's slip, at most 22 characters.
const SLIP: &str = "コノマナ";

/// A payment intent to create. Every attempt with one key has the same fields.
#[derive(Clone, Copy)]
pub struct NewIntent<'a> {
    /// The idempotency key.
    pub key: &'a str,
    /// The order's id.
    pub reference: &'a str,
    /// The order's number, for people.
    pub number: &'a str,
    /// Yen.
    pub amount: i32,
}

/// A payment intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// `pi_…`.
    pub id: String,
    /// The order's id: [`NewIntent::reference`].
    pub reference: Option<String>,
    /// Its state.
    pub status: IntentStatus,
    /// The amount due in yen.
    pub amount: i32,
    /// The received amount in yen.
    pub amount_received: i32,
    /// How to pay, while the intent waits for it.
    pub instructions: Option<Instructions>,
}

/// The state of a payment intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntentStatus {
    /// It waits for the buyer.
    RequiresAction,
    /// The payment attempt has failed or ended, and can't be paid.
    Failed,
    /// The payment succeeded.
    Succeeded,
    /// It was cancelled, and can't be paid.
    Cancelled,
    /// Between two states.
    Processing,
    /// Unknown to this version of the API.
    Other,
}

/// Where and how to pay. Stored with the payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instructions {
    /// At a convenience store.
    Konbini(KonbiniInstructions),
    /// By bank transfer.
    BankTransfer(BankAccount),
}

/// How to pay at a convenience store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KonbiniInstructions {
    /// When the codes end.
    #[serde(with = "time::serde::timestamp")]
    pub expires_at: OffsetDateTime,
    /// One for each chain of stores.
    pub stores: Vec<KonbiniStore>,
}

/// The codes for one chain of convenience stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KonbiniStore {
    /// `familymart`, `lawson`, `ministop` or `seicomart`.
    pub store: String,
    /// Digits.
    pub payment_code: String,
    /// Digits, or empty if the chain needs none.
    pub confirmation_number: String,
}

/// A bank account number that belongs to one customer only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankAccount {
    /// Name of the bank.
    pub bank_name: String,
    /// Four digits.
    pub bank_code: String,
    /// Name of the branch.
    pub branch_name: String,
    /// Three digits.
    pub branch_code: String,
    /// `futsu` or `toza`.
    pub account_type: String,
    /// Digits.
    pub account_number: String,
    /// The account holder, in the form that senders type.
    pub account_holder_name: String,
}

impl Provider {
    /// Creates a payment at a convenience store, for a buyer with this name and email address. The
    /// codes expire at `expires_at`.
    pub async fn create_konbini(
        &self,
        new: &NewIntent<'_>,
        name: &str,
        email: &str,
        expires_at: OffsetDateTime,
    ) -> Result<Intent, ProviderError> {
        let expires_at = expires_at.unix_timestamp().to_string();
        let form = [
            ("payment_method_types[0]", "konbini"),
            ("payment_method_data[type]", "konbini"),
            ("payment_method_data[billing_details][name]", name),
            ("payment_method_data[billing_details][email]", email),
            ("payment_method_options[konbini][expires_at]", &expires_at),
            ("payment_method_options[konbini][product_description]", SLIP),
        ];
        self.create_intent(new, &form).await
    }

    /// Creates a payment by bank transfer of this customer. If the customer's cash balance covers
    /// it, the intent succeeds at once.
    pub async fn create_bank_transfer(
        &self,
        new: &NewIntent<'_>,
        customer: &str,
    ) -> Result<Intent, ProviderError> {
        let options = "payment_method_options[customer_balance]";
        let form = [
            ("customer", customer),
            ("payment_method_types[0]", "customer_balance"),
            ("payment_method_data[type]", "customer_balance"),
            (&format!("{options}[funding_type]"), "bank_transfer"),
            (&format!("{options}[bank_transfer][type]"), "jp_bank_transfer"),
        ];
        self.create_intent(new, &form).await
    }

    async fn create_intent(
        &self,
        new: &NewIntent<'_>,
        method: &[(&str, &str)],
    ) -> Result<Intent, ProviderError> {
        let amount = new.amount.to_string();
        let mut form = vec![
            ("amount", amount.as_str()),
            ("currency", answer::CURRENCY),
            ("confirm", "true"),
            ("description", new.number),
            ("metadata[order]", new.reference),
            ("metadata[number]", new.number),
        ];
        form.extend(method);
        let call = Call::new(Method::POST, "/v1/payment_intents").form(&form).key(new.key);
        parse_intent(&self.client.send(call).await?)
    }

    /// Gets a payment intent.
    pub async fn find_intent(&self, id: &str) -> Result<Intent, ProviderError> {
        check_id(id)?;
        parse_intent(&self.client.send(Call::new(Method::GET, "/v1/payment_intents/{id}").id(id)).await?)
    }

    /// Cancels a payment intent. If it succeeded or was cancelled already, returns
    /// [`ProviderError::Refused`]: get its state.
    pub async fn cancel_intent(&self, id: &str) -> Result<Intent, ProviderError> {
        check_id(id)?;
        // No idempotency key: a repeated call gets the refusal of a cancelled intent.
        let call = Call::new(Method::POST, "/v1/payment_intents/{id}/cancel").id(id);
        parse_intent(&self.client.send(call).await?)
    }

    /// Pays a payment intent from its customer's cash balance. The same key and amount give the
    /// same response for 24 h.
    pub async fn apply_balance(&self, id: &str, amount: i32, key: &str) -> Result<Intent, ProviderError> {
        check_id(id)?;
        let amount = amount.to_string();
        let form = [("amount", amount.as_str()), ("currency", answer::CURRENCY)];
        let call = Call::new(Method::POST, "/v1/payment_intents/{id}/apply_customer_balance");
        parse_intent(&self.client.send(call.id(id).form(&form).key(key)).await?)
    }
}

fn parse_intent(body: &[u8]) -> Result<Intent, ProviderError> {
    let intent: WireIntent = answer::parse(body)?;
    answer::check_currency(&intent.currency)?;
    let status = match intent.status.as_str() {
        "requires_action" => IntentStatus::RequiresAction,
        "requires_payment_method" => IntentStatus::Failed,
        "succeeded" => IntentStatus::Succeeded,
        "canceled" => IntentStatus::Cancelled,
        "processing" | "requires_confirmation" => IntentStatus::Processing,
        _ => IntentStatus::Other,
    };
    Ok(Intent {
        id: intent.id,
        reference: intent.metadata.order,
        status,
        amount: intent.amount,
        amount_received: intent.amount_received,
        instructions: intent.next_action.map(read_instructions).transpose()?.flatten(),
    })
}

fn read_instructions(action: NextAction) -> Result<Option<Instructions>, ProviderError> {
    if let Some(details) = action.konbini_display_details {
        let expires_at = OffsetDateTime::from_unix_timestamp(details.expires_at)
            .map_err(|_| answer::unreadable("the end of a konbini code"))?;
        let Stores { familymart, lawson, ministop, seicomart } = details.stores;
        let stores = [
            ("familymart", familymart),
            ("lawson", lawson),
            ("ministop", ministop),
            ("seicomart", seicomart),
        ];
        let stores = stores.into_iter().filter_map(|(store, codes)| {
            codes.map(|codes| KonbiniStore {
                store: store.to_owned(),
                payment_code: codes.payment_code,
                confirmation_number: codes.confirmation_number.unwrap_or_default(),
            })
        });
        return Ok(Some(Instructions::Konbini(KonbiniInstructions { expires_at, stores: stores.collect() })));
    }
    let addresses = action.display_bank_transfer_instructions.map(|display| display.financial_addresses);
    let account = addresses.unwrap_or_default().into_iter().find_map(|address| address.zengin);
    Ok(account.map(|account| Instructions::BankTransfer(account.into())))
}

#[derive(Deserialize)]
struct WireIntent {
    id: String,
    status: String,
    amount: i32,
    #[serde(default)]
    amount_received: i32,
    currency: String,
    #[serde(default)]
    metadata: Metadata,
    next_action: Option<NextAction>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    order: Option<String>,
}

#[derive(Deserialize)]
struct NextAction {
    konbini_display_details: Option<KonbiniDetails>,
    display_bank_transfer_instructions: Option<BankTransferDisplay>,
}

#[derive(Deserialize)]
struct KonbiniDetails {
    expires_at: i64,
    stores: Stores,
}

#[derive(Deserialize)]
struct Stores {
    familymart: Option<Codes>,
    lawson: Option<Codes>,
    ministop: Option<Codes>,
    seicomart: Option<Codes>,
}

#[derive(Deserialize)]
struct Codes {
    payment_code: String,
    confirmation_number: Option<String>,
}

#[derive(Deserialize)]
struct BankTransferDisplay {
    #[serde(default)]
    financial_addresses: Vec<FinancialAddress>,
}

#[derive(Deserialize)]
struct FinancialAddress {
    zengin: Option<Zengin>,
}

/// The provider leaves out unknown fields.
#[derive(Deserialize)]
struct Zengin {
    account_holder_name: Option<String>,
    account_number: Option<String>,
    account_type: Option<String>,
    bank_code: Option<String>,
    bank_name: Option<String>,
    branch_code: Option<String>,
    branch_name: Option<String>,
}

impl From<Zengin> for BankAccount {
    fn from(zengin: Zengin) -> Self {
        Self {
            bank_name: zengin.bank_name.unwrap_or_default(),
            bank_code: zengin.bank_code.unwrap_or_default(),
            branch_name: zengin.branch_name.unwrap_or_default(),
            branch_code: zengin.branch_code.unwrap_or_default(),
            account_type: zengin.account_type.unwrap_or_else(|| "futsu".to_owned()),
            account_number: zengin.account_number.unwrap_or_default(),
            account_holder_name: zengin.account_holder_name.unwrap_or_default(),
        }
    }
}
