//! Consent: by a link, only from a mailbox that can be a guardian's, and when it counts.

use std::time::Duration as StdDuration;

use crate::support::{ADDRESS, Auth, EMAIL, NOW, USER, World, guardian, reason};
use auth::account::Account;
use forms::test::MAILBOXES;
use futures_util::future::join_all;
use kit::error::ServiceError;
use proto::auth::{
    AskConsentRequest, ChangeEmailRequest, CheckConsentRequest, CheckConsentResponse, ConfirmEmailRequest,
    EmailChangeRequested, ExportAccountRequest, GetUserRequest, GiveConsentRequest, GuardianConsent,
    GuardianConsentGiven, GuardianConsentReceipt, GuardianConsentRequested, GuardianMailboxRefused,
};
use time::Duration;
use time::macros::date;
use tonic::Status;
use uuid::Uuid;

/// Another learner.
const OTHER: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4b00);

impl Auth {
    pub(crate) async fn ask(&self, name: &str, relation: &str, email: &str) -> Result<(), Status> {
        let request = AskConsentRequest {
            name: name.to_owned(),
            relation: relation.to_owned(),
            email: email.to_owned(),
            ..Default::default()
        };
        self.guardians_of(USER).ask_consent(request).await.map(drop)
    }

    /// Requests consent; returns the token in the mail.
    pub(crate) async fn request_consent(&self, world: &World) -> String {
        self.ask("山田 恵子", "母", "keiko@konomana.example").await.unwrap();
        world.last::<GuardianConsentRequested>().await.token
    }

    pub(crate) async fn check(&self, token: &str) -> Result<CheckConsentResponse, Status> {
        let request = CheckConsentRequest { token: token.to_owned(), client_address: ADDRESS.to_owned() };
        Ok(self.guardians().check_consent(request).await?.into_inner())
    }

    pub(crate) async fn give(&self, token: &str) -> Result<(), Status> {
        self.give_as(token, "山田 恵子", true).await
    }

    pub(crate) async fn give_as(&self, token: &str, name: &str, is_adult: bool) -> Result<(), Status> {
        let request = GiveConsentRequest {
            token: token.to_owned(),
            client_address: ADDRESS.to_owned(),
            guardian_name: name.to_owned(),
            is_adult,
        };
        self.guardians().give_consent(request).await.map(drop)
    }

    /// Requests and gives consent; returns the token that withdraws it.
    pub(crate) async fn obtain_consent(&self, world: &World) -> String {
        let token = self.request_consent(world).await;
        self.give(&token).await.unwrap();
        world.events_of::<GuardianConsentReceipt>().await.pop().unwrap().token
    }

    pub(crate) async fn consent(&self) -> GuardianConsent {
        let request = GetUserRequest::default();
        self.client_of(USER).get_user(request).await.unwrap().into_inner().user.unwrap().guardian_consent()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guardian_consents_once_by_the_link_in_a_mail() {
    let world = World::new().await;
    let auth = world.serve_with(&["--dead-links-burst", "1000"]).await;
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    let token = auth.request_consent(&world).await;
    let mail: GuardianConsentRequested = world.last().await;
    assert_eq!((mail.to.as_str(), mail.guardian_name.as_str()), ("keiko@konomana.example", "山田 恵子"));
    assert_eq!(mail.learner_name, "山田 花子");
    assert_eq!(mail.expires_at.unwrap().seconds, (NOW + Duration::days(2)).unix_timestamp());
    for _ in 0..2 {
        let asked = auth.check(&token).await.unwrap();
        assert_eq!((asked.learner_name.as_str(), asked.guardian_name.as_str()), ("山田 花子", "山田 恵子"));
        assert_eq!(auth.consent().await, GuardianConsent::Waiting);
    }
    let outcomes = join_all((0..16).map(|_| auth.give(&token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(outcomes.into_iter().filter(Result::is_err).all(|outcome| reason(outcome) == "LINK_DEAD"));
    assert_eq!(auth.consent().await, GuardianConsent::Given);
    assert_eq!(reason(auth.check(&token).await), "LINK_DEAD");
    let told: GuardianConsentGiven = world.last().await;
    assert_eq!((told.to.as_str(), told.guardian_name.as_str()), (EMAIL, "山田 恵子"));
    world.clock.advance(Duration::days(3));
    assert_eq!(auth.consent().await, GuardianConsent::Given);
    assert_eq!(reason(auth.ask("山田 一郎", "父", "ichiro@konomana.example").await), "CONSENT_GIVEN");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_newest_consent_link_is_valid_for_two_days() {
    let world = World::new().await;
    let auth = world.serve().await;
    let first = auth.request_consent(&world).await;
    let again =
        ServiceError::from_status(&auth.ask("山田 一郎", "父", "ichiro@konomana.example").await.unwrap_err());
    assert_eq!(
        (again.reason.as_ref(), again.retry_after),
        ("RESEND_TOO_SOON", Some(StdDuration::from_mins(1)))
    );
    world.clock.advance(Duration::MINUTE);
    auth.ask("山田 一郎", "父", "ichiro@konomana.example").await.unwrap();
    let second = world.last::<GuardianConsentRequested>().await.token;
    assert_eq!(reason(auth.give(&first).await), "LINK_DEAD");
    assert_eq!(auth.check(&second).await.unwrap().guardian_name, "山田 一郎");
    world.clock.advance(Duration::days(2));
    assert_eq!(reason(auth.check(&second).await), "LINK_DEAD");
    assert_eq!(reason(auth.give(&second).await), "LINK_DEAD");
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    for junk in ["", "junk"] {
        assert_eq!(reason(auth.give(junk).await), "LINK_DEAD");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn consent_is_for_minors_and_its_fields_are_validated() {
    let world = World::new().await;
    let auth = world.serve().await;
    let refused = auth.ask("", "叔父", "no address").await.unwrap_err();
    let problem = ServiceError::from_status(&refused);
    let named: Vec<_> =
        problem.fields.iter().map(|field| (field.name.as_ref(), field.code.as_ref())).collect();
    assert_eq!(named, [("name", "REQUIRED"), ("relation", "UNKNOWN_CHOICE"), ("email", "INVALID_FORMAT")]);
    let mut account = world.account().await;
    account.birth_date = Some(date!(2008 - 11 - 20));
    world.put(&account).await;
    assert_eq!(auth.consent().await, GuardianConsent::NotNeeded, "18 today");
    assert_eq!(reason(auth.ask("山田 恵子", "母", "keiko@konomana.example").await), "CONSENT_NOT_NEEDED");
}

/// The invalid fields of a refusal, with their codes.
fn invalid_fields(outcome: Result<(), Status>) -> Vec<String> {
    let fields = ServiceError::from_status(&outcome.unwrap_err()).fields;
    fields.iter().map(|field| format!("{} {}", field.name, field.code)).collect()
}

impl World {
    /// Adds an account like the learner's with another address, birth date and scope.
    async fn add_other(&self, email: &str, birth_date: Option<time::Date>, scope: &str) {
        let other = Account {
            id: OTHER,
            email: email.to_owned(),
            birth_date,
            scope: vec![scope.to_owned()],
            ..self.account().await
        };
        self.put(&other).await;
    }

    async fn move_to(&self, email: &str) {
        self.put(&Account { email: email.to_owned(), ..self.account().await }).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_computes_mailboxes_like_forms() {
    let world = World::new().await;
    for (email, wanted) in MAILBOXES {
        let mailbox = world.text(&format!("SELECT mailbox('{}')", email.replace('\'', "''"))).await;
        assert_eq!(mailbox, [wanted], "{email}");
    }
    assert_eq!(world.text("SELECT mailbox FROM account").await, ["hanako@demo.example"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_learners_own_mailbox_in_any_spelling_is_refused() {
    let world = World::new().await;
    let auth = world.serve().await;
    for own in ["Hanako@demo.example", "hanako@demo.example", "HANAKO+mother@Demo.example"] {
        assert_eq!(invalid_fields(auth.ask("山田 恵子", "母", own).await), ["email OWN_MAILBOX"], "{own}");
    }
    world.move_to("ha.nako@gmail.com").await;
    for own in ["hanako@gmail.com", "h.a.nako+1@googlemail.com"] {
        assert_eq!(invalid_fields(auth.ask("山田 恵子", "母", own).await), ["email OWN_MAILBOX"], "{own}");
    }
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    assert!(world.events().await.is_empty());
    // A pending change of the address frees neither mailbox.
    let change = ChangeEmailRequest {
        password: crate::support::PASSWORD.to_owned(),
        email: "second@konomana.example".to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    auth.profiles_of(USER).change_email(change).await.unwrap();
    assert_eq!(
        invalid_fields(auth.ask("山田 恵子", "母", "second+1@konomana.example").await),
        ["email OWN_MAILBOX"]
    );
    let token = world.events_of::<EmailChangeRequested>().await.remove(0).token;
    let confirm = ConfirmEmailRequest { token, client_address: ADDRESS.to_owned() };
    auth.profiles().confirm_email(confirm).await.unwrap();
    assert_eq!(invalid_fields(auth.ask("山田 恵子", "母", "hanako@gmail.com").await), ["email OWN_MAILBOX"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_minors_mailbox_gets_the_usual_answer_but_no_link() {
    let world = World::new().await;
    let auth = world.serve_with(&["--account-mails-per-hour", "1000"]).await;
    for (birth_date, scope) in [
        (Some(date!(2012 - 04 - 01)), "learner"),
        (Some(date!(2008 - 11 - 21)), "learner"),
        (None, "learner"),
        (Some(date!(2012 - 04 - 01)), "guardian"),
    ] {
        world.add_other("Ren@konomana.example", birth_date, scope).await;
        auth.ask("山田 恵子", "母", "ren+1@konomana.example").await.expect("the answer reveals nothing");
        assert_eq!(auth.consent().await, GuardianConsent::Waiting, "the state reveals nothing");
        let again = ServiceError::from_status(
            &auth.ask("山田 恵子", "母", "ren+1@konomana.example").await.unwrap_err(),
        );
        assert_eq!(
            (again.reason.as_ref(), again.retry_after),
            ("RESEND_TOO_SOON", Some(StdDuration::from_mins(1)))
        );
        let told: GuardianMailboxRefused = world.last().await;
        assert_eq!((told.to.as_str(), told.account_id), ("ren+1@konomana.example", USER.to_string()));
        world.clock.advance(Duration::minutes(1));
    }
    assert!(world.events_of::<GuardianConsentRequested>().await.is_empty(), "no link was sent");
    world.clock.advance(Duration::days(2));
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    for (birth_date, scope) in
        [(Some(date!(2008 - 11 - 20)), "learner"), (Some(date!(1981 - 02 - 03)), "guardian")]
    {
        world.add_other("Ren@konomana.example", birth_date, scope).await;
        auth.ask("山田 恵子", "母", "ren@konomana.example").await.unwrap();
        let asked: GuardianConsentRequested = world.last().await;
        assert_eq!(asked.to, "ren@konomana.example");
        world.clock.advance(Duration::minutes(1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_that_became_the_learners_or_a_minors_cannot_consent() {
    let world = World::new().await;
    let auth = world.serve().await;
    let token = auth.request_consent(&world).await;
    world.add_other("keiko+ren@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
    assert_eq!(reason(auth.check(&token).await), "GUARDIAN_MAILBOX");
    assert_eq!(reason(auth.give(&token).await), "GUARDIAN_MAILBOX");
    world.add_other("ren@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
    world.move_to("Keiko+hanako@konomana.example").await;
    assert_eq!(reason(auth.check(&token).await), "GUARDIAN_MAILBOX");
    assert_eq!(reason(auth.give(&token).await), "GUARDIAN_MAILBOX");
    assert_eq!(auth.consent().await, GuardianConsent::Waiting);
    world.move_to(EMAIL).await;
    auth.give(&token).await.expect("a refusal leaves the link valid");
    assert_eq!(auth.consent().await, GuardianConsent::Given);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guardian_types_their_name_and_declares_to_be_an_adult() {
    let world = World::new().await;
    let auth = world.serve().await;
    let token = auth.request_consent(&world).await;
    let refused = invalid_fields(auth.give_as(&token, " ", false).await);
    assert_eq!(refused, ["guardian_name REQUIRED", "is_adult NOT_AGREED"]);
    assert_eq!(invalid_fields(auth.give_as(&token, "山田 恵子", false).await), ["is_adult NOT_AGREED"]);
    auth.give_as(&token, "山田 けい子", true).await.unwrap();
    let kept = "SELECT concat_ws(' ', name, given_name, octet_length(given_network), given_at AT TIME ZONE 'UTC') \
                FROM consent";
    assert_eq!(world.text(kept).await, ["山田 恵子 山田 けい子 32 2026-11-20 09:00:00"]);
    let [receipt] = &world.events_of::<GuardianConsentReceipt>().await[..] else { panic!("one receipt") };
    assert_eq!(
        (receipt.to.as_str(), receipt.guardian_name.as_str(), receipt.learner_name.as_str()),
        ("keiko@konomana.example", "山田 けい子", "山田 花子")
    );
    let stored = world.text("SELECT row::text FROM consent AS row").await.concat();
    assert!(!stored.contains(&receipt.token), "only the hash is stored");
    let request = ExportAccountRequest {
        password: crate::support::PASSWORD.to_owned(),
        client_address: ADDRESS.to_owned(),
        ..Default::default()
    };
    let export = auth.profiles_of(USER).export_account(request).await.unwrap().into_inner();
    assert_eq!(export.consent.unwrap().given_name, "山田 けい子");
}

const ASK: &str = "INSERT INTO consent (account, id, name, relation, email, asked_at, expires_at) SELECT id, id, \
                   '山田 恵子', '母', 'keiko@konomana.example', '2026-11-20 09:00Z', '2026-11-22 09:00Z' FROM account \
                   WHERE email_key = 'hanako@demo.example'";
const GIVE: &str = "UPDATE consent SET given_at = '2026-11-20 09:00Z', given_name = '山田 恵子'";
const GIVE_LONG_AGO: &str = "UPDATE consent SET given_at = '2026-11-01 09:00Z'";
const LINK: &str = "INSERT INTO guardian_link SELECT child.id, child.id, other.id, now() FROM account AS child, \
                    account AS other WHERE child.email_key = 'hanako@demo.example' \
                    AND 'guardian' = ANY (other.scope)";
const WITHDRAW: &str = "INSERT INTO consent_withdrawal (id, learner, withdrawn_at) SELECT id, id, now() FROM account \
                        WHERE email_key = 'hanako@demo.example'";

/// Updates the learner's account.
const LEARNERS: &str = "UPDATE account SET %s WHERE email_key = 'hanako@demo.example'";
/// Updates the guardian's account.
const GUARDIANS: &str = "UPDATE account SET %s WHERE email_key = 'guardian0@konomana.example'";
/// Updates the account of another minor.
const MINORS: &str = "UPDATE account SET %s WHERE email_key = 'ren@konomana.example'";

#[tokio::test(flavor = "multi_thread")]
async fn only_valid_consent_counts() {
    use GuardianConsent::{Given, Missing, NotNeeded, Waiting};
    let learners = |change| LEARNERS.replace("%s", change);
    let guardians = |change| GUARDIANS.replace("%s", change);
    let minors = |change| MINORS.replace("%s", change);
    let cases: Vec<(&str, Vec<String>, GuardianConsent)> = vec![
        ("no guardian was asked", vec![], Missing),
        ("asked", vec![ASK.into()], Waiting),
        (
            "asked too long ago",
            vec![ASK.into(), "UPDATE consent SET expires_at = '2026-11-20 09:00Z'".into()],
            Missing,
        ),
        ("given", vec![ASK.into(), GIVE.into()], Given),
        ("given before guardians typed their names", vec![ASK.into(), GIVE_LONG_AGO.into()], Given),
        (
            "given from what is the learner's mailbox now",
            vec![ASK.into(), GIVE.into(), learners("email = 'KEIKO+1@konomana.example'")],
            Missing,
        ),
        (
            "given from what is a minor's mailbox now",
            vec![ASK.into(), GIVE.into(), minors("email = 'Keiko@konomana.example'")],
            Missing,
        ),
        (
            "given from what is a learner's mailbox who has come of age",
            vec![
                ASK.into(),
                GIVE.into(),
                minors("email = 'Keiko@konomana.example', birth_date = '2008-11-20'"),
            ],
            Given,
        ),
        ("linked", vec![LINK.into()], Given),
        ("linked, 17", vec![guardians("birth_date = '2008-11-21'"), LINK.into()], Missing),
        ("linked, 18 today", vec![guardians("birth_date = '2008-11-20'"), LINK.into()], Given),
        ("linked, of unknown age", vec![guardians("birth_date = NULL"), LINK.into()], Missing),
        (
            "linked, with the learner's mailbox",
            vec![guardians("email = 'hanako+1@demo.example'"), LINK.into()],
            Missing,
        ),
        (
            "linked, with a minor's mailbox",
            vec![guardians("email = 'REN+1@konomana.example'"), LINK.into()],
            Missing,
        ),
        ("linked, no guardian any more", vec![LINK.into(), guardians("scope = '{staff:support}'")], Missing),
        ("linked, withdrawn", vec![LINK.into(), WITHDRAW.into()], Missing),
        ("given after a withdrawal", vec![WITHDRAW.into(), ASK.into(), GIVE.into()], Given),
        ("linked, and asked after a withdrawal", vec![LINK.into(), WITHDRAW.into(), ASK.into()], Waiting),
        ("18 today", vec![learners("birth_date = '2008-11-20'")], NotNeeded),
        ("18 today, withdrawn", vec![WITHDRAW.into(), learners("birth_date = '2008-11-20'")], NotNeeded),
        ("of unknown age", vec![learners("birth_date = NULL")], Missing),
        ("of unknown age, linked", vec![learners("birth_date = NULL"), LINK.into()], Given),
        ("no learner", vec![learners("scope = '{staff:support}'")], NotNeeded),
    ];
    let world = World::with_guardians(1).await;
    world.add_other("ren@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
    let accounts = [world.account().await, world.guardian_account(0).await];
    let auth = world.serve().await;
    for (what, steps, wanted) in cases {
        world.text("DELETE FROM consent").await;
        world.text("DELETE FROM consent_withdrawal").await;
        world.text("DELETE FROM guardian_link").await;
        for account in &accounts {
            world.put(account).await;
        }
        world.add_other("ren@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
        for step in steps {
            world.text(&step).await;
        }
        assert_eq!(auth.consent().await, wanted, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_learner_whose_consent_became_invalid_may_ask_again() {
    let world = World::new().await;
    let auth = world.serve().await;
    auth.obtain_consent(&world).await;
    world.add_other("keiko@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    world.clock.advance(Duration::MINUTE);
    auth.ask("山田 一郎", "父", "ichiro@konomana.example").await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Waiting);
    let token = world.last::<GuardianConsentRequested>().await.token;
    auth.give_as(&token, "山田 一郎", true).await.unwrap();
    assert_eq!(auth.consent().await, GuardianConsent::Given);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_works_for_adult_guardians_with_their_own_mailbox() {
    let world = World::with_guardians(1).await;
    world.add_other("ren@konomana.example", Some(date!(2012 - 04 - 01)), "learner").await;
    let auth = world.serve().await;
    let code = auth.code().await;
    let good = world.guardian_account(0).await;
    for (account, refusal) in [
        (Account { birth_date: Some(date!(2008 - 11 - 21)), ..good.clone() }, "GUARDIAN_UNDER_18"),
        (Account { birth_date: None, ..good.clone() }, "GUARDIAN_UNDER_18"),
        (Account { email: "hanako+mother@demo.example".to_owned(), ..good.clone() }, "GUARDIAN_MAILBOX"),
        (Account { email: "Ren+1@konomana.example".to_owned(), ..good.clone() }, "GUARDIAN_MAILBOX"),
    ] {
        world.put(&account).await;
        assert_eq!(reason(auth.use_code(guardian(0), &code).await), refusal, "{}", account.email);
        assert!(auth.links().await.guardians.is_empty());
    }
    world.put(&Account { birth_date: Some(date!(2008 - 11 - 20)), ..good }).await;
    assert!(auth.use_code(guardian(0), &code).await.expect("a refusal leaves the code valid").is_new);
}
