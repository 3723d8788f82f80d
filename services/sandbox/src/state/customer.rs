//! Customers, with saved cards, a virtual bank account and a cash balance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::form::Form;
use crate::id::{new_digits, new_id};
use crate::state::State;
use crate::state::cash_balance::ReconciliationMode;

/// A customer.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Customer {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) email: Option<String>,
    pub(crate) name: Option<String>,
    metadata: BTreeMap<String, String>,
    pub(crate) is_deleted: bool,
    /// The number of the virtual bank account that receives all transfers of this customer.
    pub(crate) account_number: String,
    /// `None` for the merchant's mode, which is automatic.
    pub(crate) reconciliation_mode: Option<ReconciliationMode>,
}

/// The fields of a request that creates or updates a customer.
pub(crate) struct CustomerFields {
    email: Option<String>,
    name: Option<String>,
    metadata: BTreeMap<String, String>,
    reconciliation_mode: Option<String>,
}

impl CustomerFields {
    pub(crate) fn parse(form: &mut Form) -> Result<Self, ApiError> {
        Ok(Self {
            email: form.take("email"),
            name: form.take("name"),
            metadata: form.take_map("metadata"),
            reconciliation_mode: ReconciliationMode::take(form, "cash_balance[settings]")?,
        })
    }

    fn apply(self, customer: &mut Customer) {
        customer.email = self.email.or(customer.email.take());
        customer.name = self.name.or(customer.name.take());
        customer.metadata.extend(self.metadata);
        if let Some(mode) = self.reconciliation_mode {
            customer.reconciliation_mode = ReconciliationMode::from_name(&mode);
        }
    }
}

impl Customer {
    /// The customer in the API's format.
    pub(crate) fn to_json(&self) -> Value {
        if self.is_deleted {
            return json!({"id": self.id, "object": "customer", "deleted": true});
        }
        json!({
            "id": self.id,
            "object": "customer",
            "address": null,
            "balance": 0,
            "created": self.created,
            "currency": null,
            "default_source": null,
            "delinquent": false,
            "description": null,
            "discount": null,
            "email": self.email,
            "livemode": false,
            "metadata": self.metadata,
            "name": self.name,
            "phone": null,
            "preferred_locales": [],
            "shipping": null,
            "tax_exempt": "none",
        })
    }
}

impl State {
    /// The customer that a path names, even a deleted one.
    pub(crate) fn customer(&self, id: &str) -> Result<&Customer, ApiError> {
        let found = self.customers.iter().find(|customer| customer.id == id);
        found.ok_or_else(|| ApiError::missing("customer", id))
    }

    /// The customer that the parameter `customer` names. A deleted one is an error.
    pub(crate) fn referenced_customer(&self, id: &str) -> Result<&Customer, ApiError> {
        let found = self.customers.iter().find(|customer| customer.id == id && !customer.is_deleted);
        found.ok_or_else(|| ApiError::missing_reference("customer", "customer", id))
    }

    /// The customer that a path names, to be changed.
    pub(crate) fn customer_mut(&mut self, id: &str) -> Result<&mut Customer, ApiError> {
        let found = self.customers.iter_mut().find(|customer| customer.id == id && !customer.is_deleted);
        found.ok_or_else(|| ApiError::missing("customer", id))
    }

    pub(crate) fn create_customer(&mut self, fields: CustomerFields, now: i64) -> Value {
        let mut customer = Customer {
            id: new_id("cus"),
            created: now,
            email: None,
            name: None,
            metadata: BTreeMap::new(),
            is_deleted: false,
            account_number: new_digits(7),
            reconciliation_mode: None,
        };
        fields.apply(&mut customer);
        let answer = customer.to_json();
        self.customers.push(customer);
        answer
    }

    pub(crate) fn update_customer(&mut self, id: &str, fields: CustomerFields) -> Result<Value, ApiError> {
        let customer = self.customer_mut(id)?;
        fields.apply(customer);
        Ok(customer.to_json())
    }

    /// Deletes a customer and its saved cards. Refused if the customer ever had a cash balance.
    pub(crate) fn delete_customer(&mut self, id: &str, now: i64) -> Result<Value, ApiError> {
        let has_balance = self.cash_transactions.iter().any(|transaction| transaction.customer == id);
        let customer = self.customer_mut(id)?;
        if has_balance {
            let message = "You cannot delete a customer with any cash balances, even if the balance is 0.";
            return Err(ApiError::state(None, message));
        }
        customer.is_deleted = true;
        (customer.email, customer.name) = (None, None);
        customer.metadata.clear();
        let answer = customer.to_json();
        let cards = self.payment_methods.iter().filter(|method| method.customer.as_deref() == Some(id));
        let cards: Vec<_> = cards.map(|method| method.id.clone()).collect();
        for card in cards {
            self.detach_payment_method(&card, now)?;
        }
        Ok(answer)
    }
}
