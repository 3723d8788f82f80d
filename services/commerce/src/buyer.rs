//! The buyer of a request and the learners they may buy for. The edge gets this from auth in the
//! same request and passes it on.

use kit::error::FieldError;
use proto::commerce as wire;
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of learners of a buyer. It is far above the number that auth links to an
/// account.
const LEARNERS_LIMIT: usize = 100;

/// The buyer of a request.
pub(crate) struct Buyer {
    /// Family name and given name.
    pub(crate) name: String,
    /// The address for emails about orders.
    pub(crate) email: String,
    /// Family name and given name in katakana; may be empty.
    pub(crate) kana: String,
    /// The learners that the account may buy for: itself, if it is a learner, then the linked
    /// children.
    pub(crate) learners: Vec<Learner>,
}

/// A learner that the buyer may buy for.
pub(crate) struct Learner {
    pub(crate) id: Uuid,
    /// Family name and given name.
    pub(crate) name: String,
    /// Whether a guardian's consent is needed and missing.
    pub(crate) lacks_consent: bool,
}

impl Buyer {
    /// Decodes the buyer of a request.
    pub(crate) fn from_wire(buyer: Option<wire::Buyer>) -> Result<Self, Error> {
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

    /// Finds a learner of the buyer.
    pub(crate) fn find_learner(&self, id: Uuid) -> Option<&Learner> {
        self.learners.iter().find(|learner| learner.id == id)
    }

    /// The default learner if the request names none.
    pub(crate) fn first_learner(&self) -> Result<Uuid, Error> {
        self.learners.first().map(|learner| learner.id).ok_or(Error::NoLearner)
    }

    /// The learner that a request names.
    pub(crate) fn choose_learner(&self, id: &str) -> Result<Uuid, Error> {
        let learner = id.parse().ok().and_then(|id| self.find_learner(id));
        learner.map(|learner| learner.id).ok_or(Error::Field(FieldError::new("learner_id", "UNKNOWN_CHOICE")))
    }

    /// The ids of the learners.
    pub(crate) fn learner_ids(&self) -> Vec<Uuid> {
        self.learners.iter().map(|learner| learner.id).collect()
    }
}
