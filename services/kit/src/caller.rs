//! The signed caller assertion that every gRPC call between services carries.
//!
//! The calling service signs an assertion for each call: its own name, the person it acts for, if any, and an expiry.
//! It travels in the gRPC metadata ([`HEADER`]). The receiving server verifies it and checks the rpc's row in the
//! service's table ([`Callers`]) before the rpc runs. An rpc gets the account only from the verified [`Caller`]
//! ([`CallerOf::caller`]).
//!
//! Each pair of a caller and a receiver has its own key, so a service cannot impersonate another one.

mod allowed;
mod assertion;
mod keys;

pub use allowed::{Allowed, Callers, Row};
pub use assertion::{Keyring, Signer};
pub use keys::CallerKeys;

use std::str::FromStr;

use uuid::Uuid;

use crate::error::{Code, ServiceError};

/// The metadata key of the assertion.
pub const HEADER: &str = "konomana-caller";

/// A process that calls or is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Service {
    /// The REST edge.
    Edge = 1,
    /// Accounts, sessions, keys.
    Auth = 2,
    /// Courses and learning.
    Lms = 3,
    /// Notices, inquiries, mails.
    Desk = 4,
    /// Products.
    Commerce = 5,
    /// Maintenance windows.
    Maintenance = 6,
    /// Mock exams.
    Exam = 7,
}

impl Service {
    /// Every service.
    pub const ALL: [Self; 7] =
        [Self::Edge, Self::Auth, Self::Lms, Self::Desk, Self::Commerce, Self::Maintenance, Self::Exam];

    /// The name in settings and manifests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Auth => "auth",
            Self::Lms => "lms",
            Self::Desk => "desk",
            Self::Commerce => "commerce",
            Self::Maintenance => "maintenance",
            Self::Exam => "exam",
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|service| *service as u8 == byte)
    }
}

impl FromStr for Service {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|service| service.name() == name).ok_or("names no service")
    }
}

/// What an account may do. The discriminant is the bit in an assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Scope {
    /// A learner.
    Learner = 1,
    /// A guardian of learners.
    Guardian = 1 << 1,
    /// Staff who write content.
    StaffContent = 1 << 2,
    /// Staff who help people.
    StaffSupport = 1 << 3,
    /// Staff who sell.
    StaffCommerce = 1 << 4,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] =
        [Self::Learner, Self::Guardian, Self::StaffContent, Self::StaffSupport, Self::StaffCommerce];

    /// The name in access tokens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Learner => "learner",
            Self::Guardian => "guardian",
            Self::StaffContent => "staff:content",
            Self::StaffSupport => "staff:support",
            Self::StaffCommerce => "staff:commerce",
        }
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u16);

impl Scopes {
    /// Parses the names in an access token. An unknown name grants nothing.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names
            .into_iter()
            .filter_map(|name| Scope::ALL.into_iter().find(|scope| scope.name() == name))
            .collect()
    }

    /// Whether the set contains `scope`.
    #[must_use]
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope as u16 != 0
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<Iter: IntoIterator<Item = Scope>>(scopes: Iter) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope as u16))
    }
}

/// The signed-in person of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The account that is signed in.
    pub actor: Uuid,
    /// The account that the call is about: the actor's own, or that of the child for which a guardian acts.
    pub subject: Uuid,
    /// The actor's session.
    pub session: Uuid,
    /// The actor's scopes.
    pub scopes: Scopes,
}

impl Person {
    /// A person who acts for themselves.
    #[must_use]
    pub fn new(account: Uuid, session: Uuid, scopes: Scopes) -> Self {
        Self { actor: account, subject: account, session, scopes }
    }

    /// The same person, acting for `subject`.
    #[must_use]
    pub fn acting_for(self, subject: Uuid) -> Self {
        Self { subject, ..self }
    }

    fn acts_for_themselves(&self) -> bool {
        self.actor == self.subject
    }
}

/// A verified caller: a service, and the person it acts for, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The service that signed the call.
    pub service: Service,
    /// The person for whom it calls. `None` if it calls for itself or no one is signed in.
    pub person: Option<Person>,
}

impl Caller {
    /// A service that calls for itself, or for a visitor who is not signed in.
    #[must_use]
    pub fn service(service: Service) -> Self {
        Self { service, person: None }
    }

    /// The signed-in person, who acts for themselves.
    pub fn person(&self) -> Result<&Person, CallerError> {
        self.person.as_ref().filter(|person| person.acts_for_themselves()).ok_or(CallerError::NotAllowed)
    }

    /// The signed-in account, whatever its scopes.
    pub fn account(&self) -> Result<Uuid, CallerError> {
        Ok(self.person()?.actor)
    }

    /// The signed-in account with this scope.
    pub fn account_with(&self, scope: Scope) -> Result<Uuid, CallerError> {
        let person = self.person()?;
        if person.scopes.contains(scope) { Ok(person.actor) } else { Err(CallerError::NotAllowed) }
    }

    /// The signed-in learner.
    pub fn learner(&self) -> Result<Uuid, CallerError> {
        self.account_with(Scope::Learner)
    }

    /// The signed-in guardian, acting for themselves.
    pub fn guardian(&self) -> Result<Uuid, CallerError> {
        self.account_with(Scope::Guardian)
    }

    /// The signed-in guardian and the child for which they act.
    ///
    /// The assertion does not prove that the two are linked; auth checks that in `LookAtChild`.
    pub fn guardian_of(&self) -> Result<GuardianOf, CallerError> {
        let person = self.person.as_ref().filter(|person| !person.acts_for_themselves());
        let guardian = person.filter(|person| person.scopes.contains(Scope::Guardian));
        let person = guardian.ok_or(CallerError::NotAllowed)?;
        Ok(GuardianOf { guardian: person.actor, child: person.subject })
    }

    /// The learner that a call is about: the signed-in learner, or the child for which a guardian acts.
    pub fn learner_or_child(&self) -> Result<Uuid, CallerError> {
        self.learner().or_else(|_| Ok(self.guardian_of()?.child))
    }
}

/// A guardian who acts for a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardianOf {
    /// The guardian's account.
    pub guardian: Uuid,
    /// The child's account.
    pub child: Uuid,
}

/// Why a call was refused before its rpc ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallerError {
    /// No assertion.
    #[error("the call carries no caller assertion")]
    Missing,
    /// More than one, malformed, forged, or signed for another receiver or rpc.
    #[error("the caller assertion does not verify")]
    Invalid,
    /// Signed by the right caller, but too long ago, or with a clock that differs too much.
    #[error("the caller assertion has expired")]
    Expired,
    /// The table has no row for the rpc, or the row allows other callers only.
    #[error("this caller may not call this rpc")]
    NotAllowed,
}

impl CallerError {
    const ALL: [Self; 4] = [Self::Missing, Self::Invalid, Self::Expired, Self::NotAllowed];

    /// The machine reason.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Missing => "CALLER_MISSING",
            Self::Invalid => "CALLER_INVALID",
            Self::Expired => "CALLER_EXPIRED",
            Self::NotAllowed => "CALLER_NOT_ALLOWED",
        }
    }

    /// The value of the metric's label.
    fn label(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Invalid => "invalid",
            Self::Expired => "expired",
            Self::NotAllowed => "not_allowed",
        }
    }

    /// Whether a service rejected the assertion itself. That is a fault between two services (a wrong key or a wrong
    /// clock), not of the person, whose session continues.
    #[must_use]
    pub fn is_assertion_refused(problem: &ServiceError) -> bool {
        problem.code == Code::Unauthenticated
            && [Self::Missing, Self::Invalid, Self::Expired]
                .iter()
                .any(|error| error.reason() == problem.reason)
    }
}

impl From<CallerError> for tonic::Status {
    fn from(error: CallerError) -> Self {
        let code = match error {
            CallerError::NotAllowed => Code::Forbidden,
            _ => Code::Unauthenticated,
        };
        ServiceError::new(code, error.reason()).into_status(&error)
    }
}

/// Reads the verified caller of a request.
pub trait CallerOf {
    /// The verified caller. Fails for a request that did not pass [`Callers`].
    fn caller(&self) -> Result<Caller, CallerError>;
}

impl<Message> CallerOf for tonic::Request<Message> {
    fn caller(&self) -> Result<Caller, CallerError> {
        self.extensions().get().copied().ok_or(CallerError::Missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn caller(scopes: &[Scope], subject: Uuid) -> Caller {
        let person = Person::new(ONE, Uuid::nil(), scopes.iter().copied().collect()).acting_for(subject);
        Caller { service: Service::Edge, person: Some(person) }
    }

    #[test]
    fn an_account_is_given_only_to_its_owner_with_the_scope() {
        assert_eq!(caller(&[Scope::Learner], ONE).learner(), Ok(ONE));
        assert_eq!(caller(&[Scope::Guardian], ONE).guardian(), Ok(ONE));
        assert_eq!(caller(&[], ONE).account(), Ok(ONE));
        let refused = Err(CallerError::NotAllowed);
        assert_eq!(caller(&[Scope::Guardian], ONE).learner(), refused);
        assert_eq!(caller(&[], ONE).learner(), refused);
        assert_eq!(caller(&[Scope::Learner], TWO).learner(), refused, "acts for another");
        assert_eq!(caller(&[Scope::Learner], TWO).account(), refused, "acts for another");
        assert_eq!(Caller::service(Service::Edge).account(), refused);
    }

    #[test]
    fn only_a_guardian_acts_for_another_account() {
        let both = GuardianOf { guardian: ONE, child: TWO };
        assert_eq!(caller(&[Scope::Guardian], TWO).guardian_of(), Ok(both));
        for refused in [caller(&[Scope::Guardian], ONE), caller(&[Scope::Learner], TWO), caller(&[], TWO)] {
            assert_eq!(refused.guardian_of(), Err(CallerError::NotAllowed));
        }
    }

    #[test]
    fn a_learner_and_their_guardian_name_the_same_learner() {
        assert_eq!(caller(&[Scope::Guardian], TWO).learner_or_child(), Ok(TWO));
        assert_eq!(caller(&[Scope::Learner], ONE).learner_or_child(), Ok(ONE));
        for refused in [caller(&[Scope::Guardian], ONE), caller(&[Scope::Learner], TWO), caller(&[], TWO)] {
            assert_eq!(refused.learner_or_child(), Err(CallerError::NotAllowed));
        }
    }

    #[test]
    fn scopes_are_read_from_a_token_and_unknown_ones_grant_nothing() {
        let scopes = Scopes::from_names(["learner", "staff:support", "staff:everything", ""]);
        let held: Vec<_> = Scope::ALL.into_iter().filter(|scope| scopes.contains(*scope)).collect();
        assert_eq!(held, [Scope::Learner, Scope::StaffSupport]);
    }

    #[test]
    fn a_refused_assertion_is_not_an_ended_session() {
        let of =
            |status: tonic::Status| CallerError::is_assertion_refused(&ServiceError::from_status(&status));
        assert!(of(CallerError::Expired.into()));
        assert!(!of(CallerError::NotAllowed.into()));
        assert!(!of(
            ServiceError::new(Code::Unauthenticated, "BAD_CREDENTIALS").into_status(&std::fmt::Error)
        ));
    }
}
