//! Decodes buyers.

use kit::error::FieldError;
use proto::commerce as wire;

use crate::buyer::{Buyer, Learner};
use crate::error::Error;

/// The maximum number of learners of a buyer. It is far above the number that auth links to an
/// account.
const LEARNERS_LIMIT: usize = 100;

impl Buyer {
    /// Decodes the buyer of a request.
    pub(super) fn from_wire(buyer: Option<wire::Buyer>) -> Result<Self, Error> {
        let buyer = buyer.ok_or(field("buyer", "REQUIRED"))?;
        if buyer.name.trim().is_empty() {
            return Err(field("buyer.name", "REQUIRED"));
        }
        if buyer.email.trim().is_empty() {
            return Err(field("buyer.email", "REQUIRED"));
        }
        if buyer.learners.len() > LEARNERS_LIMIT {
            return Err(field("buyer.learners", "TOO_LONG"));
        }
        let learners = buyer.learners.into_iter().map(Learner::from_wire).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { name: buyer.name, email: buyer.email, kana: buyer.kana, learners })
    }
}

impl Learner {
    fn from_wire(learner: wire::Learner) -> Result<Self, Error> {
        let id = learner.id.parse().map_err(|_| field("buyer.learners", "INVALID_FORMAT"))?;
        Ok(Self { id, name: learner.name, lacks_consent: learner.lacks_consent })
    }
}

fn field(name: &'static str, code: &'static str) -> Error {
    Error::Field(FieldError::new(name, code))
}
