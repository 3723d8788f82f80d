//! The keys in force and the ended sessions: a view that auth keeps up to date. While the view is stale, auth
//! is called.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jsonwebtoken::DecodingKey;
use kit::client::Channel;
use kit::shutdown::Shutdown;
use proto::auth::auth_service_client::AuthServiceClient;
use proto::auth::{CheckSessionRequest, PublicKey, WatchAccessRequest, WatchAccessResponse};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::error::Error;
use crate::follow::{FIRST_VIEW, FRESH_FOR, VIEW_STREAM_LIMITS, follow};

/// Follows auth. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Access {
    view: Arc<watch::Sender<View>>,
    auth: AuthServiceClient<Channel>,
}

/// The keys in force and the ended sessions.
#[derive(Default)]
struct View {
    keys: HashMap<String, Arc<DecodingKey>>,
    revoked: HashSet<Uuid>,
    /// Time of the last message of auth; `None` before the first complete snapshot.
    updated_at: Option<Instant>,
    /// The ended sessions of an incomplete snapshot. A snapshot may have several parts; the last part has the
    /// keys.
    incoming: Option<HashSet<Uuid>>,
}

impl Access {
    /// Follows auth until `shutdown`.
    pub(crate) fn follow(auth: AuthServiceClient<Channel>, shutdown: Shutdown) -> Self {
        let access = Self { view: Arc::new(watch::Sender::new(View::default())), auth };
        let view = access.view.clone();
        let auth = access.auth.clone();
        kit::task::spawn("access", &shutdown.clone(), async move {
            let open = || {
                let mut auth = auth.clone();
                async move { auth.watch_access(WatchAccessRequest {}).await }
            };
            follow("auth.WatchAccess", VIEW_STREAM_LIMITS, shutdown, open, |step| {
                view.send_modify(|view| view.apply(&step));
            })
            .await;
        });
        access
    }

    /// Returns the key with this id. Only a fresh view can tell that the key does not exist.
    pub(crate) async fn key(&self, kid: &str) -> Result<Arc<DecodingKey>, Error> {
        self.first_view().await?;
        let view = self.view.borrow();
        match view.keys.get(kid) {
            Some(key) => Ok(key.clone()),
            None if view.is_fresh() => Err(Error::Unauthenticated),
            None => Err(unavailable()),
        }
    }

    /// Fails unless the session is active and the key of the token is in force. With a stale view, auth is
    /// called. If auth does not answer, the check fails.
    pub(crate) async fn check(&self, kid: &str, sid: Uuid) -> Result<(), Error> {
        self.check_in(Some(kid), sid).await
    }

    /// Fails unless the session is active.
    pub(crate) async fn check_session(&self, sid: Uuid) -> Result<(), Error> {
        self.check_in(None, sid).await
    }

    async fn check_in(&self, kid: Option<&str>, sid: Uuid) -> Result<(), Error> {
        self.first_view().await?;
        {
            let view = self.view.borrow();
            if view.is_fresh() {
                let in_force = kid.is_none_or(|kid| view.keys.contains_key(kid));
                let lives = in_force && !view.revoked.contains(&sid);
                return if lives { Ok(()) } else { Err(Error::Unauthenticated) };
            }
        }
        let question = CheckSessionRequest { sid: sid.to_string(), kid: kid.map(str::to_owned) };
        let answer = self.auth.clone().check_session(question).await?.into_inner();
        if answer.alive { Ok(()) } else { Err(Error::Unauthenticated) }
    }

    /// Marks a session that ended through this edge, before auth publishes it.
    pub(crate) fn mark_ended(&self, sid: Uuid) {
        self.view.send_modify(|view| {
            view.revoked.insert(sid);
        });
    }

    /// Creates a view with this key that stays fresh for a year.
    #[cfg(test)]
    pub(crate) fn trust_key(&self, kid: &str, ed25519: &[u8]) {
        let key = Arc::new(DecodingKey::from_ed_der(ed25519));
        self.view.send_modify(|view| {
            view.keys.insert(kid.to_owned(), key);
            view.updated_at = Some(Instant::now() + std::time::Duration::from_hours(24 * 365));
        });
    }

    async fn first_view(&self) -> Result<(), Error> {
        if self.view.borrow().updated_at.is_some() {
            return Ok(());
        }
        let mut views = self.view.subscribe();
        match timeout(FIRST_VIEW, views.wait_for(|view| view.updated_at.is_some())).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(unavailable()),
        }
    }
}

fn unavailable() -> Error {
    tracing::warn!("no keys received yet: auth does not answer");
    Error::Upstream(kit::error::Code::Unavailable.into())
}

impl View {
    fn is_fresh(&self) -> bool {
        self.is_fresh_at(Instant::now())
    }

    fn is_fresh_at(&self, now: Instant) -> bool {
        self.updated_at.is_some_and(|updated_at| now.duration_since(updated_at) < FRESH_FOR)
    }

    fn apply(&mut self, step: &WatchAccessResponse) {
        if step.snapshot {
            self.incoming = Some(HashSet::new());
        }
        let sids = step.revoked_sids.iter().filter_map(|sid| sid.parse::<Uuid>().ok());
        match &mut self.incoming {
            Some(incoming) => {
                incoming.extend(sids);
                if step.keys.is_empty() {
                    return;
                }
                self.revoked = std::mem::take(incoming);
                self.incoming = None;
            }
            None => self.revoked.extend(sids),
        }
        if !step.keys.is_empty() {
            self.keys = step.keys.iter().map(|key| (key.kid.clone(), Arc::new(decoding_key(key)))).collect();
        }
        self.updated_at = Some(Instant::now());
    }
}

fn decoding_key(key: &PublicKey) -> DecodingKey {
    DecodingKey::from_ed_der(&key.ed25519)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn step(snapshot: bool, keys: &[&str], revoked: &[Uuid]) -> WatchAccessResponse {
        let keys = keys.iter().map(|kid| PublicKey { kid: (*kid).to_owned(), ed25519: vec![0; 32] });
        WatchAccessResponse {
            snapshot,
            keys: keys.collect(),
            revoked_sids: revoked.iter().map(Uuid::to_string).collect(),
        }
    }

    #[test]
    fn a_view_is_fresh_for_half_a_second_after_each_message() {
        let mut view = View::default();
        assert!(!view.is_fresh());
        for message in [step(true, &["a"], &[]), step(false, &[], &[])] {
            view.apply(&message);
            let updated_at = view.updated_at.unwrap();
            assert!(view.is_fresh_at(updated_at + FRESH_FOR - Duration::from_millis(1)));
            assert!(!view.is_fresh_at(updated_at + FRESH_FOR));
        }
    }

    #[tokio::test]
    async fn a_snapshot_in_parts_applies_once_it_is_complete() {
        let [one, two, three] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];
        let mut view = View::default();
        view.apply(&step(true, &[], &[one]));
        assert!(!view.is_fresh());
        view.apply(&step(false, &["a"], &[two]));
        assert!(view.is_fresh() && view.revoked.len() == 2);
        view.apply(&step(false, &["a", "b"], &[three]));
        assert_eq!((view.keys.len(), view.revoked.len()), (2, 3));
        view.apply(&step(true, &[], &[three]));
        assert_eq!((view.keys.len(), view.revoked.len()), (2, 3), "the old view applies until then");
        view.apply(&step(false, &["b"], &[]));
        assert_eq!((view.keys.len(), view.revoked.len()), (1, 1));
    }
}
