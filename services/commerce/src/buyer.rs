//! The buyer of a request and the learners they may buy for. The edge gets this from auth in the
//! same request and passes it on.

use kit::error::FieldError;
use uuid::Uuid;

use crate::error::Error;

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
