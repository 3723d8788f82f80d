//! Payment intents that are created and confirmed by one request.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Intent, IntentStatus, Konbini, Method, Transfer};
use crate::card::Refusal;
use crate::error::ApiError;
use crate::form::{Form, check_url, invalid};
use crate::state::State;

/// The maximum of a card payment and of a bank transfer, in yen.
const MOST: i64 = 99_999_999;

/// A payment intent to create.
pub(crate) struct NewIntent {
    amount: i64,
    customer: Option<String>,
    metadata: BTreeMap<String, String>,
    description: Option<String>,
    method: NewMethod,
}

enum NewMethod {
    Card { payment_method: String, is_off_session: bool, return_url: Option<String> },
    Konbini(Konbini),
    Transfer,
}

impl NewIntent {
    pub(crate) fn parse(form: &mut Form, now: i64) -> Result<Self, ApiError> {
        form.require_word("currency", &["jpy"])?;
        form.require_word("confirm", &["true"])?;
        let types = ["card", "konbini", "customer_balance"];
        let method = form.take_word("payment_method_types[0]", &types)?;
        let (method, amounts) = match method.as_deref() {
            Some("konbini") => (NewMethod::Konbini(Konbini::parse(form, now)?), (120, 300_000)),
            Some("customer_balance") => {
                Transfer::check(form)?;
                (NewMethod::Transfer, (1, MOST))
            }
            _ => (Self::parse_card(form)?, (50, MOST)),
        };
        let amount = form.take_amount("amount", amounts.0, amounts.1)?;
        form.take("receipt_email");
        Ok(Self {
            amount: amount.ok_or_else(|| {
                ApiError::parameter("parameter_missing", "amount", "Missing required param")
            })?,
            customer: form.take("customer"),
            metadata: form.take_map("metadata"),
            description: form.take("description"),
            method,
        })
    }

    fn parse_card(form: &mut Form) -> Result<NewMethod, ApiError> {
        let secure = "payment_method_options[card][request_three_d_secure]";
        form.take_word(secure, &["any", "automatic", "challenge"])?;
        let is_off_session =
            form.take_word("off_session", &["true", "false"])?.is_some_and(|word| word == "true");
        let return_url = form.take("return_url");
        check_url("return_url", return_url.as_deref())?;
        let payment_method = form.require("payment_method")?;
        if !is_off_session && return_url.is_none() {
            return Err(ApiError::parameter("parameter_missing", "return_url", "Missing required param"));
        }
        Ok(NewMethod::Card { payment_method, is_off_session, return_url })
    }
}

impl State {
    /// Creates and confirms a payment intent.
    pub(crate) fn create_intent(&mut self, new: NewIntent, now: i64) -> Result<Value, ApiError> {
        let customer = new.customer.as_deref().map(|id| self.referenced_customer(id)).transpose()?.cloned();
        let mut intent = Intent::new(new.amount, Method::Card, new.metadata, new.description, now);
        let id = intent.id.clone();
        intent.customer.clone_from(&new.customer);
        match new.method {
            NewMethod::Card { payment_method, is_off_session, return_url } => {
                let customer = new.customer.as_deref().ok_or_else(|| missing("customer"))?;
                let card = self.payment_method(&payment_method);
                let card = card.map_err(|_| {
                    ApiError::missing_reference("payment_method", "PaymentMethod", &payment_method)
                })?;
                if card.customer.as_deref() != Some(customer) {
                    let message = "The PaymentMethod is not attached to this customer.";
                    return Err(ApiError::state(None, message));
                }
                (intent.card, intent.face) = (Some(card.card), Some(card.face.clone()));
                intent.payment_method = Some(payment_method);
                intent.return_url = return_url;
                self.add_intent(intent, now);
                self.confirm_saved_card(&id, is_off_session, now)?;
            }
            NewMethod::Konbini(konbini) => {
                intent.method = Method::Konbini(konbini);
                self.add_intent(intent, now);
                self.wait_for_money(&id, now);
            }
            NewMethod::Transfer => {
                let customer = customer.ok_or_else(|| missing("customer"))?;
                if customer.email.is_none() {
                    return Err(invalid("customer"));
                }
                intent.method = Method::Transfer(Transfer::new(customer.account_number));
                self.add_intent(intent, now);
                self.wait_for_money(&id, now);
                self.apply_available_cash(&id, now);
            }
        }
        Ok(self.intent_json(self.named_intent(&id)?))
    }

    fn wait_for_money(&mut self, id: &str, now: i64) {
        self.change_intent(id, "payment_intent.requires_action", now, |intent| {
            intent.status = IntentStatus::RequiresAction;
        });
    }

    fn confirm_saved_card(&mut self, id: &str, is_off_session: bool, now: i64) -> Result<(), ApiError> {
        let Some(card) = self.intent(id).and_then(|intent| intent.card) else { return Ok(()) };
        if !is_off_session && card.is_challenged_on_session() {
            self.challenge_intent(id, now);
            return Ok(());
        }
        let refusal = match card.refusal() {
            None if is_off_session && card.is_challenged_off_session() => {
                Some(Refusal::authentication_required())
            }
            refusal => refusal,
        };
        let Some(refusal) = refusal else {
            self.succeed_intent(id, now);
            return Ok(());
        };
        self.refuse_intent(id, refusal.clone(), now);
        Err(ApiError::card(&refusal, self.intent_json(self.named_intent(id)?)))
    }
}

fn missing(param: &str) -> ApiError {
    ApiError::parameter("parameter_missing", param, "Missing required param")
}
