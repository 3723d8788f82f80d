//! For whom a calendar is read.

use kit::caller::{Person, Scope, Scopes};
use uuid::Uuid;

use crate::session::OnBehalf;

/// The owner of a calendar address, who has no session. Only the calendar makes one, and only to read dates.
pub(super) struct CalendarReader {
    account: Uuid,
    roles: Scopes,
}

impl CalendarReader {
    /// The owner, without any scope.
    pub(super) fn new(account: Uuid) -> Self {
        Self { account, roles: Scopes::default() }
    }

    /// The owner with their scopes. Those of staff are left out.
    pub(super) fn with_roles(self, names: &[String]) -> Self {
        let granted = Scopes::from_names(names.iter().map(String::as_str));
        let roles = [Scope::Learner, Scope::Guardian].into_iter().filter(|role| granted.contains(*role));
        Self { roles: roles.collect(), ..self }
    }

    /// Whether the owner has this scope.
    pub(super) fn has_role(&self, role: Scope) -> bool {
        self.roles.contains(role)
    }
}

impl OnBehalf for CalendarReader {
    fn person(&self) -> Option<Person> {
        Some(Person::new(self.account, Uuid::nil(), self.roles))
    }
}
