//! Changes of a birth date: an earlier one of a minor needs approval by a guardian or by staff.

use crate::support::{ADDRESS, Auth, EMAIL, NOW, USER, World, guardian, reason};
use auth::account::Account;
use kit::error::ServiceError;
use proto::auth::{
    BirthDateChangeDecided, BirthDateChangeRequested, BirthDateChanged, CheckBirthDateChangeRequest,
    CheckBirthDateChangeResponse, DecideBirthDateChangeRequest, ExportAccountRequest, GetUserRequest,
    GuardianConsent, PutProfileRequest, User,
};
use time::Duration;
use time::macros::date;
use tonic::Status;
use uuid::Uuid;

impl World {
    /// The birth dates that other services were told.
    async fn published_birth_dates(&self) -> Vec<String> {
        let told: Vec<BirthDateChanged> = self.events_of().await;
        assert!(told.iter().all(|told| told.account_id == USER.to_string()));
        told.into_iter().map(|told| told.birth_date).collect()
    }
}

impl Auth {
    pub(crate) async fn put_birth_date(&self, account: Uuid, birth_date: &str) -> Result<User, Status> {
        self.put_person(account, birth_date, None).await
    }

    async fn put_person(
        &self,
        account: Uuid,
        birth_date: &str,
        school_year: Option<&str>,
    ) -> Result<User, Status> {
        let request = PutProfileRequest {
            last_name: "髙橋".to_owned(),
            first_name: "さくら".to_owned(),
            last_name_kana: "タカハシ".to_owned(),
            first_name_kana: "サクラ".to_owned(),
            birth_date: birth_date.to_owned(),
            school_year: school_year.map(str::to_owned),
            school_name: "南高校".to_owned(),
            news: true,
            ..Default::default()
        };
        Ok(self.profiles_of(account).put_profile(request).await?.into_inner().user.unwrap())
    }

    async fn user_of(&self, account: Uuid) -> User {
        let request = GetUserRequest::default();
        self.client_of(account).get_user(request).await.unwrap().into_inner().user.unwrap()
    }

    async fn check_change(&self, token: &str) -> Result<CheckBirthDateChangeResponse, Status> {
        let request =
            CheckBirthDateChangeRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        Ok(self.guardians().check_birth_date_change(request).await?.into_inner())
    }

    async fn decide(&self, token: &str, approve: bool) -> Result<(), Status> {
        let request = DecideBirthDateChangeRequest {
            token: token.to_owned(),
            approve,
            client_address: ADDRESS.to_owned(),
        };
        self.guardians().decide_birth_date_change(request).await.map(drop)
    }
}

impl World {
    async fn change_requests(&self) -> Vec<BirthDateChangeRequested> {
        self.events_of().await
    }

    /// The stored changes, oldest first.
    async fn changes(&self) -> Vec<String> {
        self.text(
            "SELECT concat_ws(' ', COALESCE(old_birth_date::text, '-'), new_birth_date, state, decided_by, operator) \
             FROM birth_date_change ORDER BY id",
        )
        .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_minor_becomes_an_adult_when_a_guardian_approves() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.obtain_consent(&world).await;
    let user = auth.put_person(USER, "2000-01-01", Some("高2")).await.unwrap();
    assert_eq!((user.last_name.as_str(), user.school_name.as_str(), user.news), ("髙橋", "南高校", true));
    assert_eq!(user.birth_date.as_deref(), Some("2011-04-01"), "the old date is in force");
    assert_eq!(user.school_year.as_deref(), Some("高2"), "as chosen, and counted from the date in force");
    assert_eq!(user.guardian_consent(), GuardianConsent::Given);
    let requested = user.requested_birth_date.clone().unwrap();
    assert_eq!((requested.birth_date.as_str(), requested.is_guardian_asked), ("2000-01-01", true));
    assert_eq!(requested.asked.unwrap().seconds, NOW.unix_timestamp());

    let [mail] = &world.change_requests().await[..] else { panic!("one mail") };
    assert_eq!(
        (mail.to.as_str(), mail.guardian_name.as_str(), mail.learner_name.as_str()),
        ("keiko@konomana.example", "山田 恵子", "山田 花子")
    );
    assert_eq!(mail.expires_at.unwrap().seconds, (NOW + Duration::days(2)).unix_timestamp());
    let asked = auth.check_change(&mail.token).await.unwrap();
    assert_eq!(
        (asked.learner_name.as_str(), asked.birth_date.as_deref(), asked.requested_birth_date.as_str()),
        ("髙橋 さくら", Some("2011-04-01"), "2000-01-01")
    );
    assert_eq!(auth.user_of(USER).await, user, "reading changes nothing");
    // Other fields can be saved in the meantime. The same date sends no further mail.
    for birth_date in ["2011-04-01", "2000-01-01"] {
        assert!(auth.put_birth_date(USER, birth_date).await.unwrap().requested_birth_date.is_some());
    }
    assert_eq!(world.change_requests().await.len(), 1);

    let (one, other) = tokio::join!(auth.decide(&mail.token, true), auth.decide(&mail.token, true));
    assert_eq!([&one, &other].iter().filter(|outcome| outcome.is_ok()).count(), 1, "exactly one succeeds");
    let user = auth.user_of(USER).await;
    assert_eq!((user.birth_date.as_deref(), user.school_year.as_deref()), (Some("2000-01-01"), Some("既卒")));
    assert_eq!((user.guardian_consent(), user.requested_birth_date), (GuardianConsent::NotNeeded, None));
    assert_eq!(reason(auth.decide(&mail.token, false).await), "LINK_DEAD");
    assert_eq!(reason(auth.check_change(&mail.token).await), "LINK_DEAD");
    let told: BirthDateChangeDecided = world.last().await;
    assert_eq!((told.to.as_str(), told.is_approved), (EMAIL, true));
    assert_eq!(world.changes().await, ["2011-04-01 2000-01-01 approved guardian"]);
    let request = ExportAccountRequest {
        password: crate::support::PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap().into_inner();
    let [change] = &export.birth_date_changes[..] else { panic!("one change") };
    assert_eq!(
        (change.old_birth_date.as_deref(), change.new_birth_date.as_str(), change.state.as_str()),
        (Some("2011-04-01"), "2000-01-01", "approved")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_guardian_is_asked_and_one_who_declines_leaves_the_date_as_it_is() {
    let world = World::with_guardians(3).await;
    // The person who consents by mail, and one who is too young to be asked.
    let same =
        Account { email: "Keiko+konomana@konomana.example".to_owned(), ..world.guardian_account(1).await };
    world.put(&same).await;
    let auth = world.serve().await;
    auth.obtain_consent(&world).await;
    for number in 0..3 {
        auth.use_code(guardian(number), &auth.code().await).await.unwrap();
    }
    world.put(&Account { birth_date: Some(date!(2012 - 04 - 01)), ..world.guardian_account(2).await }).await;
    auth.put_birth_date(USER, "2000-01-01").await.unwrap();
    let mails = world.change_requests().await;
    let to: Vec<_> = mails.iter().map(|mail| mail.to.to_lowercase()).collect();
    assert_eq!(to.len(), 2, "each mailbox once: {to:?}");
    assert!(to.contains(&"guardian0@konomana.example".to_owned()));

    // Another date replaces it, and its link stops working.
    auth.put_birth_date(USER, "1999-01-01").await.unwrap();
    assert_eq!(reason(auth.decide(&mails[0].token, true).await), "LINK_DEAD");
    let token = world.change_requests().await.pop().unwrap().token;
    auth.decide(&token, false).await.unwrap();
    let user = auth.user_of(USER).await;
    assert_eq!((user.birth_date.as_deref(), user.requested_birth_date), (Some("2011-04-01"), None));
    let told: BirthDateChangeDecided = world.last().await;
    assert!(!told.is_approved);
    assert_eq!(
        world.changes().await,
        ["2011-04-01 2000-01-01 replaced owner", "2011-04-01 1999-01-01 declined guardian"]
    );

    auth.put_birth_date(USER, "1999-01-01").await.unwrap();
    let late = world.change_requests().await.pop().unwrap().token;
    world.clock.advance(Duration::days(2));
    assert_eq!(reason(auth.decide(&late, true).await), "LINK_DEAD");
    assert!(!auth.user_of(USER).await.requested_birth_date.unwrap().is_guardian_asked);
    auth.put_birth_date(USER, "1999-01-01").await.unwrap();
    let again = world.change_requests().await.pop().unwrap().token;
    assert_ne!(again, late, "asked again");
    // A date that needs no approval replaces the pending one.
    auth.put_birth_date(USER, "2011-04-02").await.unwrap();
    assert_eq!(reason(auth.decide(&again, true).await), "LINK_DEAD");
    assert_eq!(world.changes().await.pop().unwrap(), "2011-04-01 2011-04-02 applied owner");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pending_birth_date_does_not_end_the_need_for_consent() {
    let world = World::new().await;
    let auth = world.serve().await;
    let user = auth.put_birth_date(USER, "2008-11-21").await.unwrap();
    assert_eq!(user.birth_date.as_deref(), Some("2011-04-01"));
    assert_eq!(user.requested_birth_date.unwrap().birth_date, "2008-11-21");
    world.clock.advance(Duration::DAY);
    assert_eq!(auth.user_of(USER).await.guardian_consent(), GuardianConsent::Missing);
    assert_eq!(world.changes().await, ["2011-04-01 2008-11-21 waiting"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_guardian_staff_decides_and_the_operator_is_recorded() {
    let world = World::new().await;
    let auth = world.serve().await;
    let none = world.birth_date(USER, &["--approve"]).await.unwrap_err().to_string();
    assert!(none.contains("no change of the birth date"), "{none}");
    let user = auth.put_birth_date(USER, "2000-01-01").await.unwrap();
    assert!(!user.requested_birth_date.unwrap().is_guardian_asked);
    assert!(world.events().await.is_empty(), "there is no guardian to mail");
    world.birth_date(USER, &["--decline"]).await.unwrap();
    assert_eq!(auth.user_of(USER).await.birth_date.as_deref(), Some("2011-04-01"));
    auth.put_birth_date(USER, "2000-01-01").await.unwrap();
    world.birth_date(USER, &["--approve"]).await.unwrap();
    assert_eq!(auth.user_of(USER).await.birth_date.as_deref(), Some("2000-01-01"));
    world.birth_date(USER, &["--date", "2010-05-05"]).await.unwrap();
    assert_eq!(auth.user_of(USER).await.birth_date.as_deref(), Some("2010-05-05"));
    for wrong in ["2010-13-05", "1800-01-01"] {
        assert!(world.birth_date(USER, &["--date", wrong]).await.is_err(), "{wrong}");
    }
    assert!(world.birth_date(guardian(0), &["--date", "2010-05-05"]).await.is_err(), "no such account");
    let told: Vec<BirthDateChangeDecided> = world.events_of().await;
    let told: Vec<_> = told.iter().map(|told| (told.to.as_str(), told.is_approved)).collect();
    assert_eq!(told, [(EMAIL, false), (EMAIL, true), (EMAIL, true)]);
    assert_eq!(world.published_birth_dates().await, ["2000-01-01", "2010-05-05"]);
    assert_eq!(
        world.changes().await,
        [
            "2011-04-01 2000-01-01 declined staff 岡田",
            "2011-04-01 2000-01-01 approved staff 岡田",
            "2000-01-01 2010-05-05 approved staff 岡田",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_does_not_end_the_need_for_consent_applies_at_once_and_is_stored() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.put_birth_date(USER, "2012-04-01").await.unwrap();
    world.put(&Account { birth_date: Some(date!(2000 - 01 - 01)), ..world.account().await }).await;
    auth.put_birth_date(USER, "1999-01-01").await.unwrap();
    let user = auth.put_birth_date(USER, "2013-04-01").await.unwrap();
    assert_eq!(world.published_birth_dates().await, ["2012-04-01", "1999-01-01", "2013-04-01"]);
    assert_eq!((user.birth_date.as_deref(), user.requested_birth_date), (Some("2013-04-01"), None));
    assert_eq!(
        world.changes().await,
        [
            "2011-04-01 2012-04-01 applied owner",
            "2000-01-01 1999-01-01 applied owner",
            "1999-01-01 2013-04-01 applied owner",
        ]
    );
    world.put(&Account { birth_date: None, ..world.account().await }).await;
    let user = auth.put_birth_date(USER, "2000-01-01").await.unwrap();
    assert_eq!(user.birth_date, None, "an unknown age counts as a minor");
    assert_eq!(world.changes().await.pop().unwrap(), "- 2000-01-01 waiting");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_changes_its_birth_date_at_most_ten_times_an_hour() {
    let world = World::new().await;
    let auth = world.serve().await;
    // A minor's date applies at once, an adult's is pending. There is no guardian to ask.
    for turn in 1..=5 {
        auth.put_birth_date(USER, &format!("2012-04-{turn:02}")).await.unwrap();
        auth.put_birth_date(USER, &format!("2000-04-{turn:02}")).await.unwrap();
    }
    for birth_date in ["2012-05-01", "2000-04-05", "2000-05-01"] {
        let problem = ServiceError::from_status(&auth.put_birth_date(USER, birth_date).await.unwrap_err());
        assert_eq!(problem.reason, "RATE_LIMITED", "{birth_date}");
        assert_eq!(problem.retry_after, Some(std::time::Duration::from_mins(6)));
    }
    assert_eq!(world.changes().await.len(), 10);
    auth.put_birth_date(USER, "2012-04-05").await.expect("the rest of the profile can be saved");
    world.clock.advance(Duration::minutes(6));
    auth.put_birth_date(USER, "2012-05-01").await.unwrap();
    assert_eq!(world.changes().await.len(), 11);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_guardian_becomes_a_minor_and_no_minor_guardian_becomes_older() {
    let world = World::with_guardians(1).await;
    let auth = world.serve().await;
    let before = auth.user_of(guardian(0)).await;
    let refused =
        ServiceError::from_status(&auth.put_birth_date(guardian(0), "2008-11-21").await.unwrap_err());
    let fields: Vec<_> = refused.fields.iter().map(|field| (&*field.name, &*field.code)).collect();
    assert_eq!(fields, [("birth_date", "GUARDIAN_UNDER_18")]);
    assert_eq!(auth.user_of(guardian(0)).await, before, "nothing is written");
    assert!(world.birth_date(guardian(0), &["--date", "2012-04-01"]).await.is_err());
    auth.put_birth_date(guardian(0), "1982-02-03").await.unwrap();

    // An account from before the rule.
    world.put(&Account { birth_date: Some(date!(2012 - 04 - 01)), ..world.guardian_account(0).await }).await;
    auth.put_birth_date(guardian(0), "2012-04-01").await.expect("the rest of the profile can be saved");
    let user = auth.put_birth_date(guardian(0), "1981-02-03").await.unwrap();
    assert_eq!(user.birth_date.as_deref(), Some("2012-04-01"));
    assert_eq!(reason(auth.use_code(guardian(0), &auth.code().await).await), "GUARDIAN_UNDER_18");
    world.birth_date(guardian(0), &["--approve"]).await.unwrap();
    auth.use_code(guardian(0), &auth.code().await).await.unwrap();
}
