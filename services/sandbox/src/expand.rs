//! Expands ids to objects.

use serde_json::Value;

use crate::state::State;

impl State {
    /// Replaces the ids in these fields by their objects. `data.` stands for each object of a list.
    pub(crate) fn expand(&self, answer: &mut Value, fields: &[String]) {
        // Sorted, so `a` comes before `a.b`.
        let mut fields: Vec<_> = fields.iter().collect();
        fields.sort();
        for field in fields {
            self.expand_field(answer, field);
        }
    }

    fn expand_field(&self, object: &mut Value, field: &str) {
        if let Value::Array(items) = object {
            for item in items {
                self.expand_field(item, field);
            }
            return;
        }
        let (name, rest) = field.split_once('.').map_or((field, None), |(name, rest)| (name, Some(rest)));
        let Some(value) = object.get_mut(name) else { return };
        if let Some(found) = value.as_str().and_then(|id| self.find_object(id)) {
            *value = found;
        }
        if let Some(rest) = rest {
            self.expand_field(value, rest);
        }
    }

    /// The object with this id, in the API's format.
    fn find_object(&self, id: &str) -> Option<Value> {
        match id.split('_').next()? {
            "cus" => Some(self.customer(id).ok()?.to_json()),
            "pm" => Some(self.payment_method(id).ok()?.to_json()),
            "pi" => Some(self.intent_json(self.intent(id)?)),
            "seti" => Some(self.setup_intent(id).ok()?.to_json()),
            "ch" | "py" => Some(self.charge_json(self.charge(id)?)),
            "re" | "pyr" => Some(self.refund(id).ok()?.to_json()),
            "du" => Some(self.dispute_json(self.dispute(id).ok()?)),
            "txn" => {
                let found = self.balance_transactions.iter().find(|transaction| transaction.id == id);
                Some(found?.to_json())
            }
            _ => None,
        }
    }
}
