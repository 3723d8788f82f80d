//! The callers of auth's rpcs, and the account that a call is about.

use kit::caller::Service;
use kit::test::{anyone, every_rpc_admits_only_its_callers};
use proto::auth::profile_service_client::ProfileServiceClient;
use proto::auth::{EndAllSessionsRequest, GetUserRequest, LogoutRequest, LookAtChildRequest};

use crate::support::{EMAIL, USER, World, guardian, reason, sid};

#[tokio::test(flavor = "multi_thread")]
async fn rpcs_admit_only_their_callers() {
    let world = World::new().await;
    let auth = world.serve_with(&["--logins-burst", "100000", "--hash-memory-kib", "64"]).await;
    every_rpc_admits_only_its_callers(&auth.server, Service::Auth, auth::CALLERS, &["auth.v1", "common.v1"])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[expect(deprecated, reason = "callers of the release before fill the fields, and they must change nothing")]
async fn a_call_is_about_the_callers_account_whatever_the_message_says() {
    let world = World::with_guardians(1).await;
    let auth = world.serve().await;
    let (other, session) = (guardian(0), sid(&auth.log_in().await));

    let request = GetUserRequest { user_id: other.to_string() };
    let user = auth.client_of(USER).get_user(request).await.unwrap().into_inner().user.unwrap();
    assert_eq!(user.email, EMAIL);
    let request = EndAllSessionsRequest { user_id: USER.to_string() };
    auth.profiles_of(other).end_all_sessions(request.clone()).await.unwrap();
    let refused = ProfileServiceClient::new(auth.server.channel_as(anyone())).end_all_sessions(request).await;
    assert_eq!(reason(refused), "CALLER_NOT_ALLOWED");
    auth.client_of(other).logout(LogoutRequest { sid: session.to_string() }).await.unwrap();
    assert!(auth.is_alive(session).await);

    // The child in the assertion has no link; the child in the message has one.
    auth.use_code(other, &auth.code().await).await.unwrap();
    let request =
        LookAtChildRequest { user_id: other.to_string(), child_id: USER.to_string(), ..Default::default() };
    let looked = auth.guardians_for(other, guardian(7)).look_at_child(request).await;
    assert_eq!(reason(looked), "NOT_FOUND");
}
