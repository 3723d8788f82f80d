//! The audience of a route: who may call it.

use kit::caller::{Scope, Scopes};

/// Who may call a route. The middleware enforces it before the handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone. An access token is neither needed nor read.
    Anyone,
    /// Holders of a signed URL. The handler verifies the URL.
    SignedUrl,
    /// Every account with an active session.
    Caller,
    /// Accounts with the scope `learner`.
    Learner,
    /// Accounts with the scope `guardian`.
    Guardian,
    /// Accounts with the scope `learner` or `guardian`.
    LearnerOrGuardian,
    /// Accounts with this staff scope.
    Staff(Scope),
    /// The server of a provider. It sends neither an access token nor a cookie.
    Webhook(Provider),
}

/// A provider that calls a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The name of its security scheme in the `OpenAPI` document.
    pub name: &'static str,
    /// Name of the header with the signature of the raw body, in lower case. A request must have exactly one.
    /// The service that has the provider's secret verifies it.
    pub signature_header: &'static str,
}

impl Audience {
    /// Whether a call needs an access token.
    #[must_use]
    pub fn needs_token(self) -> bool {
        !matches!(self, Self::Anyone | Self::SignedUrl | Self::Webhook(_))
    }

    /// Returns the provider of a webhook.
    #[must_use]
    pub fn provider(self) -> Option<Provider> {
        if let Self::Webhook(provider) = self { Some(provider) } else { None }
    }

    /// Whether browsers call the route. Then writes are checked for their origin and the XSRF-TOKEN cookie.
    #[must_use]
    pub fn uses_browsers(self) -> bool {
        !matches!(self, Self::Webhook(_))
    }

    /// Whether an access token with these scopes is enough.
    #[must_use]
    pub fn admits(self, scopes: Scopes) -> bool {
        match self {
            Self::Anyone | Self::SignedUrl | Self::Caller | Self::Webhook(_) => true,
            Self::Learner => scopes.contains(Scope::Learner),
            Self::Guardian => scopes.contains(Scope::Guardian),
            Self::LearnerOrGuardian => scopes.contains(Scope::Learner) || scopes.contains(Scope::Guardian),
            Self::Staff(scope) => scopes.contains(scope),
        }
    }
}
