//! Guardians: codes that link them, and what the learner sees of it.

use std::time::Duration as StdDuration;

use crate::support::{ADDRESS, Auth, EMAIL, NOW, USER, World, guardian, reason};
use futures_util::future::join_all;
use kit::error::ServiceError;
use prost::{Message as _, Name as _};
use proto::auth::{
    Child, ChildView, EndLinkRequest, GuardianConsent, GuardianLinkReceipt, GuardianLinked, GuardianUnlinked,
    IssueCodeRequest, ListChildrenRequest, ListGuardiansRequest, ListGuardiansResponse, LookAtChildRequest,
    UseCodeRequest, UseCodeResponse,
};
use time::Duration;
use tonic::Status;
use uuid::Uuid;

impl Auth {
    pub(crate) async fn code(&self) -> String {
        let request = IssueCodeRequest::default();
        self.guardians_of(USER).issue_code(request).await.unwrap().into_inner().code
    }

    pub(crate) async fn use_code(&self, guardian: Uuid, code: &str) -> Result<UseCodeResponse, Status> {
        self.use_code_from(ADDRESS, guardian, code).await
    }

    pub(crate) async fn use_code_from(
        &self,
        from: &str,
        guardian: Uuid,
        code: &str,
    ) -> Result<UseCodeResponse, Status> {
        let request =
            UseCodeRequest { code: code.to_owned(), client_address: from.to_owned(), ..Default::default() };
        Ok(self.guardians_of(guardian).use_code(request).await?.into_inner())
    }

    pub(crate) async fn links(&self) -> ListGuardiansResponse {
        let request = ListGuardiansRequest::default();
        self.guardians_of(USER).list_guardians(request).await.unwrap().into_inner()
    }

    pub(crate) async fn children(&self, guardian: Uuid) -> Vec<Child> {
        let request = ListChildrenRequest::default();
        self.guardians_of(guardian).list_children(request).await.unwrap().into_inner().children
    }

    pub(crate) async fn look_at_child(&self, guardian: Uuid, child: Uuid) -> Result<Child, Status> {
        let request = LookAtChildRequest::default();
        Ok(self.guardians_for(guardian, child).look_at_child(request).await?.into_inner().child.unwrap())
    }

    pub(crate) async fn end(&self, account: Uuid, link: &str) -> Result<(), Status> {
        let request = EndLinkRequest { link_id: link.to_owned(), ..Default::default() };
        self.guardians_of(account).end_link(request).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_concurrent_uses_of_a_code_is_linked_and_may_repeat_it() {
    let world = World::with_guardians(16).await;
    let auth = world.serve().await;
    let code = auth.code().await;
    let stored = world.text("SELECT row::text FROM guardian_code AS row").await.concat();
    let plain = code.replace('-', "");
    assert!(!stored.contains(&plain) && !stored.contains(&hex::encode(&plain)), "only the hash is stored");

    let uses = join_all((0..16).map(|number| auth.use_code(guardian(number), &code))).await;
    let winners: Vec<usize> = (0..16).filter(|number| uses[*number].is_ok()).collect();
    let [winner] = winners[..] else { panic!("{winners:?}") };
    for refused in uses.into_iter().filter(Result::is_err) {
        assert_eq!(reason(refused), "CODE_WRONG");
    }
    let winner = guardian(winner as u128);
    let again = auth.use_code(winner, &code.to_lowercase().replace('-', " ")).await.unwrap();
    assert!(!again.is_new);
    assert_eq!(again.name, "山田 花子");
    let links = auth.links().await.guardians;
    assert_eq!((links.len(), &links[0].id), (1, &again.link_id));
    let told: GuardianLinked = world.latest().await;
    assert_eq!((told.to, told.guardian_name), (EMAIL.to_owned(), links[0].name.clone()));
    let receipt: GuardianLinkReceipt = world.last().await;
    assert_eq!((receipt.account_id, receipt.learner_id), (winner.to_string(), USER.to_string()));
    assert!(receipt.is_consent, "the receipt says that the link is consent");
    assert_eq!(world.events().await.len(), 2);
    assert_eq!(auth.consent().await, GuardianConsent::Given, "a link counts as consent");

    // Of several uses by one guardian at the same time only one creates the link.
    let code = auth.code().await;
    let other = guardian(u128::from(winner == guardian(0)));
    let uses = join_all((0..16).map(|_| auth.use_code(other, &code))).await;
    let new = uses.iter().filter(|used| used.as_ref().is_ok_and(|used| used.is_new)).count();
    assert_eq!((new, uses.iter().filter(|used| used.is_ok()).count()), (1, 16));
    assert_eq!(auth.links().await.guardians.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_newest_code_is_valid_for_a_day() {
    let world = World::with_guardians(1).await;
    let auth = world.serve().await;
    let first = auth.code().await;
    let second = auth.code().await;
    assert_eq!(reason(auth.use_code(guardian(0), &first).await), "CODE_WRONG");
    world.clock.advance(Duration::DAY);
    assert_eq!(reason(auth.use_code(guardian(0), &second).await), "CODE_WRONG");
    let third = auth.code().await;
    world.clock.advance(Duration::DAY - Duration::SECOND);
    assert!(auth.use_code(guardian(0), &third).await.unwrap().is_new);
    // A person cannot be their own guardian.
    let fourth = auth.code().await;
    assert_eq!(reason(auth.use_code(USER, &fourth).await), "CODE_WRONG");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_learner_has_at_most_four_guardians_and_a_refusal_leaves_the_code_valid() {
    let world = World::with_guardians(5).await;
    let auth = world.serve().await;
    for number in 0..4 {
        auth.use_code(guardian(number), &auth.code().await).await.unwrap();
    }
    let code = auth.code().await;
    assert_eq!(reason(auth.use_code(guardian(4), &code).await), "GUARDIANS_FULL");
    let again = auth.use_code(guardian(3), &code).await.unwrap();
    assert!(!again.is_new, "a linked guardian needs no second place");
    auth.end(USER, &again.link_id).await.unwrap();
    assert!(auth.use_code(guardian(4), &auth.code().await).await.unwrap().is_new);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_of_codes_are_limited() {
    let world = World::with_guardians(2).await;
    let auth = world.serve_with(&["--logins-burst", "12", "--logins-per-minute", "1"]).await;
    let code = auth.code().await;
    for _ in 0..10 {
        assert_eq!(reason(auth.use_code(guardian(0), "ABCD-EFGH").await), "CODE_WRONG");
    }
    let refused = ServiceError::from_status(&auth.use_code(guardian(0), &code).await.unwrap_err());
    assert_eq!(
        (refused.reason.as_ref(), refused.retry_after),
        ("RATE_LIMITED", Some(StdDuration::from_secs(30)))
    );
    assert_eq!(reason(auth.use_code(guardian(1), "ABCD-EFGH").await), "CODE_WRONG", "another guardian");
    let refused = ServiceError::from_status(&auth.use_code(guardian(1), &code).await.unwrap_err());
    assert_eq!(
        (refused.reason.as_ref(), refused.retry_after),
        ("RATE_LIMITED", Some(StdDuration::from_mins(1)))
    );
    auth.use_code_from("198.51.100.7", guardian(1), &code).await.expect("another address");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_learner_sees_views_and_either_side_ends_the_link() {
    let world = World::with_guardians(2).await;
    let auth = world.serve().await;
    assert_eq!(reason(auth.look_at_child(guardian(0), USER).await), "NOT_FOUND");
    let linked = auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    let child = auth.look_at_child(guardian(0), USER).await.unwrap();
    assert_eq!((child.name.as_str(), child.school_year.as_deref()), ("山田 花子", Some("高1")));
    assert_eq!(auth.children(guardian(0)).await, [child]);
    assert!(auth.children(guardian(1)).await.is_empty());
    assert_eq!(reason(auth.look_at_child(guardian(1), USER).await), "NOT_FOUND");
    assert_eq!(reason(auth.look_at_child(guardian(0), guardian(1)).await), "NOT_FOUND");
    assert_eq!(reason(auth.look_at_child(USER, USER).await), "CALLER_NOT_ALLOWED");

    world.clock.advance(Duration::minutes(9));
    join_all((0..8).map(|_| auth.look_at_child(guardian(0), USER))).await;
    assert_eq!(auth.links().await.views.len(), 1, "views within ten minutes count as one");
    world.clock.advance(Duration::minutes(1));
    join_all((0..8).map(|_| auth.look_at_child(guardian(0), USER))).await;
    let views = auth.links().await.views;
    let seen: Vec<_> = views.iter().map(|view| (view.name.as_str(), view.what.as_str())).collect();
    assert_eq!(seen, [("森下 恵子0", "progress"); 2]);
    assert_eq!(views[0].at.unwrap().seconds, (NOW + Duration::minutes(10)).unix_timestamp());
    world.clock.advance(Duration::SECOND);
    let exam_result = LookAtChildRequest { view: ChildView::ExamResult.into(), ..Default::default() };
    auth.guardians_for(guardian(0), USER).look_at_child(exam_result).await.unwrap();
    assert_eq!(auth.links().await.views[0].what, "exam_result");
    world.clock.advance(Duration::SECOND);
    let overview = LookAtChildRequest { view: ChildView::Overview.into(), ..Default::default() };
    join_all((0..8).map(|_| async {
        auth.guardians_for(guardian(0), USER).look_at_child(overview.clone()).await.unwrap();
    }))
    .await;
    assert_eq!(auth.links().await.views[0].what, "overview");
    world.clock.advance(Duration::SECOND);
    let interview = LookAtChildRequest { view: ChildView::Interview.into(), ..Default::default() };
    let seen = auth.guardians_for(guardian(0), USER).look_at_child(interview).await.unwrap().into_inner();
    assert_eq!((seen.email.as_str(), auth.links().await.views[0].what.as_str()), (EMAIL, "interview"));

    assert_eq!(reason(auth.end(guardian(1), &linked.link_id).await), "NOT_FOUND");
    auth.end(guardian(0), &linked.link_id).await.unwrap();
    assert_eq!(reason(auth.end(USER, &linked.link_id).await), "NOT_FOUND");
    let events = world.events().await;
    let told: Vec<_> = events
        .iter()
        .filter(|event| event.r#type == GuardianUnlinked::full_name())
        .map(|event| GuardianUnlinked::decode(event.payload.as_slice()).unwrap())
        .map(|told| (told.to, told.name, told.other_name, told.to_guardian))
        .collect();
    let (name, other) = ("山田 花子".to_owned(), "森下 恵子0".to_owned());
    let to_guardian = ("guardian0@konomana.example".to_owned(), other.clone(), name.clone(), true);
    assert_eq!(told, [to_guardian, (EMAIL.to_owned(), name, other, false)]);
    assert_eq!(reason(auth.look_at_child(guardian(0), USER).await), "NOT_FOUND");
    assert_eq!(auth.links().await.views.len(), 5, "earlier views stay listed");
    assert_eq!(auth.consent().await, GuardianConsent::Missing);
    let linked = auth.use_code(guardian(0), &auth.code().await).await.unwrap();
    auth.end(USER, &linked.link_id).await.unwrap();
    assert!(auth.children(guardian(0)).await.is_empty());
}
