//! Accounts, as their owners see them.

use crate::support::{Auth, EMAIL, USER, World};
use kit::error::{Code, ServiceError};
use proto::auth::{GetUserRequest, GuardianConsent};
use time::Duration;
use time::macros::date;
use uuid::Uuid;

impl Auth {
    async fn user(&self, id: Uuid) -> Result<proto::auth::User, tonic::Status> {
        let answer = self.client_of(id).get_user(GetUserRequest::default()).await?;
        Ok(answer.into_inner().user.expect("the answer has a user"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_returned_as_registered_with_its_current_school_year() {
    let world = World::new().await;
    let auth = world.serve().await;
    let user = auth.user(USER).await.unwrap();
    assert_eq!((user.id.as_str(), user.email.as_str()), (USER.to_string().as_str(), EMAIL));
    assert_eq!((user.last_name.as_str(), user.first_name.as_str()), ("山田", "花子"));
    assert_eq!((user.last_name_kana.as_str(), user.first_name_kana.as_str()), ("ヤマダ", "ハナコ"));
    assert_eq!(user.birth_date.as_deref(), Some("2011-04-01"));
    assert_eq!(user.school_year.as_deref(), Some("高1"));
    assert_eq!(user.scope, ["learner"]);
    assert_eq!((user.school_name.as_str(), user.news, user.erase_at), ("", false, None));
    assert_eq!(user.guardian_consent(), GuardianConsent::Missing, "15, and no guardian was asked");
    assert_eq!(user.created.unwrap().seconds, (crate::support::NOW - Duration::days(400)).unix_timestamp());

    let mut account = world.account().await;
    account.birth_date = Some(date!(2011 - 04 - 02));
    world.put(&account).await;
    assert_eq!(auth.user(USER).await.unwrap().school_year.as_deref(), Some("中3"));
    account.birth_date = None;
    world.put(&account).await;
    let user = auth.user(USER).await.unwrap();
    assert_eq!(
        (user.guardian_consent(), user.birth_date, user.school_year),
        (GuardianConsent::Missing, None, None)
    );
    for (birth_date, scope, consent) in [
        (date!(2008 - 11 - 20), "learner", GuardianConsent::NotNeeded),
        (date!(2008 - 11 - 21), "learner", GuardianConsent::Missing),
        (date!(2008 - 11 - 21), "staff:support", GuardianConsent::NotNeeded),
    ] {
        account.birth_date = Some(birth_date);
        account.scope = vec![scope.to_owned()];
        world.put(&account).await;
        let user = auth.user(USER).await.unwrap();
        assert_eq!(user.guardian_consent(), consent, "{birth_date} {scope}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_account_is_not_found() {
    let world = World::new().await;
    let auth = world.serve().await;
    let problem = ServiceError::from_status(&auth.user(Uuid::from_u128(7)).await.unwrap_err());
    assert_eq!(problem.code, Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_session_is_not_alive_and_an_invalid_id_is_refused() {
    let world = World::new().await;
    let auth = world.serve().await;
    assert!(!auth.is_alive(USER).await);
    let request = proto::auth::CheckSessionRequest { sid: "junk".to_owned(), kid: None };
    let refused = auth.client.clone().check_session(request).await.unwrap_err();
    assert_eq!(ServiceError::from_status(&refused), ServiceError::field("sid", "INVALID_FORMAT"));
}
