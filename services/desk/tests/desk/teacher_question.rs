//! Questions to teachers: the monthly limit, plans, answers on the command line, rights, sharing and erasure.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use futures_util::future::join_all;
use kit::caller::{Scope, Service};
use kit::client::Channel;
use kit::clock::Clock;
use kit::error::ServiceError;
use kit::test::{MailServer, account};
use proto::auth::AccountErased;
use proto::desk::teacher_question_service_client::TeacherQuestionServiceClient;
use proto::desk::{
    AskAgainRequest, AskRequest, ExportTeacherQuestionsRequest, GetQuestionAllowanceRequest,
    GetTeacherQuestionRequest, GetTeacherQuestionResponse, ListSharedQuestionsRequest,
    ListTeacherQuestionsRequest, QuestionAsker, QuestionPlace, QuestionPlanGranted, QuestionPlanRevoked,
    ShareTeacherQuestionRequest, SharedQuestion, TeacherQuestion, ThankRequest,
};
use time::Duration;
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

use crate::contact::NOBODY;
use crate::emails::texts;
use crate::world::{ACCOUNT, Desk, NOW, SECRET, World, event, timestamp};

pub(crate) const OTHER: Uuid = Uuid::from_u128(7);
const SUBSCRIPTION: &str = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
pub(crate) const LESSON: i64 = 201_010_101;

pub(crate) type Client = TeacherQuestionServiceClient<Channel>;

pub(crate) fn learner(desk: &Desk, id: Uuid) -> Client {
    Client::new(desk.server.channel_as(account(id, &[Scope::Learner])))
}

pub(crate) fn own(desk: &Desk) -> Client {
    learner(desk, ACCOUNT.parse().unwrap())
}

pub(crate) fn asker() -> QuestionAsker {
    QuestionAsker {
        name: "山田 花子".to_owned(), email: "hanako@demo.example".to_owned(), birth_date: None
    }
}

pub(crate) fn request(key: &str) -> AskRequest {
    AskRequest {
        idempotency_key: key.to_owned(),
        text: "移項すると符号が変わるのはなぜですか。".to_owned(),
        place: None,
        is_shared: false,
        asker: Some(asker()),
        pictures: Vec::new(),
    }
}

/// A question at a second of a lesson, shared with its owners.
pub(crate) fn at_a_second(key: &str) -> AskRequest {
    let place = QuestionPlace {
        course_id: 201,
        course_name: "中1数学 正負の数と文字式".to_owned(),
        lesson_id: LESSON,
        lesson_name: "正の数と負の数".to_owned(),
        at: Some(200),
        exercise_id: None,
        exercise_text: None,
    };
    AskRequest { place: Some(place), is_shared: true, ..request(key) }
}

pub(crate) async fn ask(client: &mut Client, request: AskRequest) -> Result<String, String> {
    let answer = client.ask(request).await;
    answer.map(|answer| answer.into_inner().id).map_err(|status| reason(&status))
}

pub(crate) fn reason(status: &Status) -> String {
    ServiceError::from_status(status).reason.into_owned()
}

async fn left(client: &mut Client) -> Option<u32> {
    client.get_question_allowance(GetQuestionAllowanceRequest {}).await.unwrap().into_inner().left
}

pub(crate) async fn open(client: &mut Client, id: &str) -> Result<GetTeacherQuestionResponse, String> {
    let request = GetTeacherQuestionRequest { id: id.to_owned() };
    let found = client.get_teacher_question(request).await;
    found.map(tonic::Response::into_inner).map_err(|status| reason(&status))
}

async fn list(client: &mut Client) -> Vec<TeacherQuestion> {
    let request = ListTeacherQuestionsRequest { page: 1 };
    client.list_teacher_questions(request).await.unwrap().into_inner().questions
}

pub(crate) async fn shared(client: &mut Client) -> Vec<SharedQuestion> {
    let request = ListSharedQuestionsRequest { lesson_id: LESSON, page: 1 };
    client.list_shared_questions(request).await.unwrap().into_inner().questions
}

async fn again(client: &mut Client, key: &str, id: &str) -> Result<(), String> {
    let request = AskAgainRequest {
        idempotency_key: key.to_owned(),
        id: id.to_owned(),
        text: "二行目の変形がまだわかりません。".to_owned(),
        asker: Some(asker()),
        pictures: Vec::new(),
    };
    client.ask_again(request).await.map(drop).map_err(|status| reason(&status))
}

async fn grant(desk: &Desk) {
    let granted =
        QuestionPlanGranted { subscription_id: SUBSCRIPTION.to_owned(), learner_id: ACCOUNT.to_owned() };
    desk.deliver_as(Service::Commerce, &event(&granted)).await.unwrap();
}

async fn revoke(desk: &Desk) {
    let revoked = QuestionPlanRevoked { subscription_id: SUBSCRIPTION.to_owned() };
    desk.deliver_as(Service::Commerce, &event(&revoked)).await.unwrap();
}

/// Runs `desk question` with these arguments.
pub(crate) fn command(world: &World, arguments: &[&str]) -> Output {
    command_with(world, arguments, "")
}

/// Runs `desk question` with this text on its standard input.
pub(crate) fn command_with(world: &World, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
    command.env_clear().arg("question").args(arguments).args(["--database-url", &world.database.url]);
    if !["status", "release"].contains(&arguments[0]) {
        command.args(["--secret", SECRET]);
    }
    if arguments[0] == "answer" {
        command.args([
            "--public-origin",
            "https://www.konomana.test",
            "--mail-from",
            "no-reply@konomana.test",
        ]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    running.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Answers a question as 高瀬航.
pub(crate) fn answer(world: &World, id: &str) -> String {
    let text = "両辺に同じ数をたすからです。$x-3=2$ は $x=5$ です。\n";
    let arguments = ["answer", id, "-", "--teacher", "高瀬航 先生"];
    stdout(&command_with(world, &[&arguments[..], &["--at", "185"]].concat(), text))
}

#[tokio::test]
async fn a_question_at_a_second_is_answered_on_the_command_line_and_its_learner_gets_a_mail() {
    let world = World::new().await;
    let mut server = MailServer::start().await;
    let desk = world.serve(&server.url()).await;
    let mut client = own(&desk);
    let id = ask(&mut client, at_a_second("key-12345")).await.unwrap();
    let waiting = &list(&mut client).await[0];
    assert!(waiting.is_waiting && !waiting.is_unread && waiting.teacher.is_empty(), "{waiting:?}");

    let next = stdout(&command(&world, &["next", "--teacher", "高瀬航先生"]));
    for part in [&*id, "taken by 高瀬航", "正の数と負の数", "200 s (3:20)", "移項すると符号が変わる"]
    {
        assert!(next.contains(part), "{part}: {next}");
    }
    assert_eq!(list(&mut client).await[0].teacher, "高瀬航");
    let others = stdout(&command(&world, &["next", "--teacher", "水城あかね"]));
    assert_eq!(others, "no question waits\n");

    answer(&world, &id);
    // The command uses the system clock, which the mail waits for.
    world.clock.advance(Clock::system().now() + Duration::MINUTE - NOW);
    let mail = server.mails.recv().await.unwrap();
    assert_eq!(mail.to, "hanako@demo.example");
    let (text, _) = texts(&mail.message.replace('\n', "\r\n"));
    assert!(
        text.contains("高瀬航先生が回答しました") && text.contains(&format!("/mypage/question/{id}")),
        "{text}"
    );
    assert!(!text.contains("移項") && !text.contains("両辺"), "{text}");

    assert!(list(&mut client).await[0].is_unread);
    let found = open(&mut client, &id).await.unwrap();
    let question = found.question.unwrap();
    assert!(!question.is_waiting && !question.is_unread && question.can_ask_again);
    assert_eq!(found.messages[1].text, "両辺に同じ数をたすからです。$x-3=2$ は $x=5$ です。");
    assert_eq!((found.messages[1].lesson_id, found.messages[1].at), (Some(LESSON), Some(185)));
    let second = command_with(&world, &["answer", &id, "-", "--teacher", "高瀬航"], "もう一度答えます。");
    assert!(String::from_utf8_lossy(&second.stderr).contains("is answered already"), "{second:?}");
}

#[tokio::test]
async fn a_released_question_goes_to_another_teacher_and_so_does_its_follow_up() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let id = ask(&mut client, at_a_second("key-12345")).await.unwrap();
    let take = |teacher: &str| stdout(&command(&world, &["next", "--teacher", teacher]));
    let release = || stdout(&command(&world, &["release", &id]));
    let refuse = |id: &str| {
        let refused = command(&world, &["release", id]);
        assert!(!refused.status.success(), "{refused:?}");
        String::from_utf8(refused.stderr).unwrap()
    };
    assert!(release().contains("none had taken it"));
    take("水城あかね");
    assert_eq!(take("高瀬航"), "no question waits\n");
    assert!(release().contains("水城あかね had taken it"));
    assert_eq!(list(&mut client).await[0].teacher, "");
    assert!(take("高瀬航").contains("taken by 高瀬航"));

    answer(&world, &id);
    assert!(refuse(&id).contains("is answered already"));
    assert_eq!(list(&mut client).await[0].teacher, "高瀬航", "an answered question keeps its teacher");
    // The command uses the system clock.
    world.clock.advance(Clock::system().now() + Duration::MINUTE - NOW);
    again(&mut client, "key-of-a-follow-up", &id).await.unwrap();
    assert_eq!(take("水城あかね"), "no question waits\n");
    assert!(release().contains("高瀬航 had taken it"));
    assert!(take("水城あかね").contains("taken by 水城あかね"));
    assert!(refuse(&Uuid::nil().to_string()).contains("there is no question"));
}

#[tokio::test]
async fn a_month_has_three_questions_however_many_are_asked_at_once() {
    let world = World::new().await;
    let (desk, other) = (world.serve(NOBODY).await, world.serve(NOBODY).await);
    let flood = (0..12).map(|turn| {
        let mut client = own(if turn % 2 == 0 { &desk } else { &other });
        async move { ask(&mut client, request(&format!("key-number-{turn}"))).await }
    });
    let outcomes = join_all(flood).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3, "{outcomes:?}");
    assert!(
        outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|code| code == "QUESTIONS_USED_UP")
    );
    let mut client = own(&desk);
    assert_eq!(left(&mut client).await, Some(0));
    // Another learner has their own limit.
    ask(&mut learner(&desk, OTHER), request("key-of-another")).await.unwrap();

    // One second before and after the month ends in Tokyo.
    world.clock.advance(datetime!(2026-11-30 14:59:59 UTC) - NOW);
    assert_eq!(ask(&mut client, request("key-in-november")).await.unwrap_err(), "QUESTIONS_USED_UP");
    world.clock.advance(Duration::SECOND);
    assert_eq!(left(&mut client).await, Some(3));
    ask(&mut client, request("key-in-december")).await.unwrap();
    assert_eq!(left(&mut client).await, Some(2));
}

#[tokio::test]
async fn a_plan_lifts_the_limit_and_promises_a_day_until_its_subscription_ends() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    grant(&desk).await;
    for turn in 0..5 {
        ask(&mut client, request(&format!("key-number-{turn}"))).await.unwrap();
    }
    assert_eq!(left(&mut client).await, None);
    let due = list(&mut client).await[0].due_at;
    assert_eq!(due, Some(timestamp(NOW + Duration::DAY)));
    assert!(stdout(&command(&world, &["status"])).starts_with("waiting 5\n"));

    revoke(&desk).await;
    // A grant that is delivered late gives nothing back.
    grant(&desk).await;
    assert_eq!(left(&mut client).await, Some(3), "questions under the plan do not count");
    assert_eq!(list(&mut client).await.len(), 5, "questions stay");
}

#[tokio::test]
async fn a_revocation_that_arrives_first_wins() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    revoke(&desk).await;
    grant(&desk).await;
    assert_eq!(left(&mut own(&desk)).await, Some(3));
}

#[tokio::test]
async fn a_repeated_question_is_one_question() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let first = ask(&mut client, request("the-same-key")).await.unwrap();
    assert_eq!(ask(&mut client, request("the-same-key")).await.unwrap(), first);
    let changed = AskRequest {
        text: "別のことを聞きたくなりました。".to_owned(), ..request("the-same-key")
    };
    assert_eq!(ask(&mut client, changed).await.unwrap_err(), "IDEMPOTENCY_KEY_REUSED");
    // The same key of another account is another key.
    assert_ne!(ask(&mut learner(&desk, OTHER), request("the-same-key")).await.unwrap(), first);
    assert_eq!(left(&mut client).await, Some(2));
    let short = AskRequest { text: "なぜ".to_owned(), ..request("a-short-one") };
    assert_eq!(ask(&mut client, short).await.unwrap_err(), "INVALID");
}

#[tokio::test]
async fn a_question_is_asked_again_three_times_and_thanked_for() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let mut client = own(&desk);
    let id = ask(&mut client, at_a_second("key-12345")).await.unwrap();
    let thanks = ThankRequest { id: id.clone() };
    assert_eq!(reason(&client.thank(thanks.clone()).await.unwrap_err()), "ANSWER_PENDING");
    assert_eq!(again(&mut client, "again-0000", &id).await.unwrap_err(), "ANSWER_PENDING");
    for turn in 0..3 {
        answer(&world, &id);
        again(&mut client, &format!("again-number-{turn}"), &id).await.unwrap();
        assert!(list(&mut client).await[0].is_waiting);
    }
    answer(&world, &id);
    assert_eq!(again(&mut client, "again-9999", &id).await.unwrap_err(), "QUESTION_CLOSED");
    for _ in 0..2 {
        client.thank(thanks.clone()).await.unwrap();
    }
    let question = open(&mut client, &id).await.unwrap().question.unwrap();
    assert!(question.is_thanked && !question.can_ask_again);
    assert_eq!(left(&mut client).await, Some(2), "further questions do not count");
}

#[tokio::test]
async fn another_account_finds_nothing() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let id = ask(&mut own(&desk), at_a_second("key-12345")).await.unwrap();
    answer(&world, &id);
    let mut other = learner(&desk, OTHER);
    assert_eq!(open(&mut other, &id).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(again(&mut other, "again-0000", &id).await.unwrap_err(), "NOT_FOUND");
    let thanks = other.thank(ThankRequest { id: id.clone() }).await.unwrap_err();
    assert_eq!(reason(&thanks), "NOT_FOUND");
    let sharing = ShareTeacherQuestionRequest { id: id.clone(), is_shared: false };
    assert_eq!(reason(&other.share_teacher_question(sharing).await.unwrap_err()), "NOT_FOUND");
    assert_eq!(list(&mut other).await, []);
    let guardian = account(ACCOUNT.parse().unwrap(), &[Scope::Guardian]);
    let mut guardian = Client::new(desk.server.channel_as(guardian));
    let request = GetTeacherQuestionRequest { id };
    assert_eq!(
        guardian.get_teacher_question(request).await.unwrap_err().code(),
        tonic::Code::PermissionDenied
    );
}

#[tokio::test]
async fn an_answered_question_is_shared_without_a_name_until_its_learner_forbids_it() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    let (mut client, mut reader) = (own(&desk), learner(&desk, OTHER));
    let id = ask(&mut client, at_a_second("key-12345")).await.unwrap();
    let private = AskRequest { is_shared: false, ..at_a_second("key-67890") };
    let private = ask(&mut client, private).await.unwrap();
    assert_eq!(shared(&mut reader).await, [], "nothing is shared before it is answered");
    answer(&world, &id);
    answer(&world, &private);
    again(&mut client, "again-0000", &id).await.unwrap();
    let seen = shared(&mut reader).await;
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].id.as_str(), seen[0].at, seen[0].messages.len()), (id.as_str(), Some(200), 2));
    assert!(!format!("{seen:?}").contains("花子") && !seen[0].is_own);
    assert!(shared(&mut client).await[0].is_own);

    let forbid = ShareTeacherQuestionRequest { id, is_shared: false };
    client.share_teacher_question(forbid).await.unwrap();
    assert_eq!(shared(&mut reader).await, []);
    let free = ask(&mut client, request("key-free-1")).await.unwrap();
    let allow = ShareTeacherQuestionRequest { id: free, is_shared: true };
    assert_eq!(reason(&client.share_teacher_question(allow).await.unwrap_err()), "INVALID");
}

#[tokio::test]
async fn texts_are_encrypted_exported_and_erased_with_the_account() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    grant(&desk).await;
    let mut client = own(&desk);
    let id = ask(&mut client, at_a_second("key-12345")).await.unwrap();
    ask(&mut client, request("key-67890")).await.unwrap();
    answer(&world, &id);
    let stored = world
        .text(
            "SELECT question_message::text || encode(sealed, 'escape') FROM question_message UNION ALL \
             SELECT question_asker::text || encode(sealed, 'escape') FROM question_asker",
        )
        .await
        .concat();
    for secret in ["移項", "両辺", "花子", "hanako"] {
        assert!(!stored.contains(secret), "{secret}: {stored}");
    }
    let mut export =
        client.export_teacher_questions(ExportTeacherQuestionsRequest {}).await.unwrap().into_inner();
    let mut messages = Vec::new();
    while let Some(question) = export.message().await.unwrap() {
        messages.push(question.messages.len());
    }
    assert_eq!(messages, [2, 1]);

    desk.tell(&AccountErased { account_id: ACCOUNT.to_owned() }).await;
    let left = "SELECT count(*)::text FROM (SELECT FROM teacher_question UNION ALL SELECT FROM question_message \
         UNION ALL SELECT FROM question_asker UNION ALL SELECT FROM question_plan) AS remaining";
    assert_eq!(world.text(left).await, ["0"]);
    // What arrives late writes nothing of the account again.
    grant(&desk).await;
    assert_eq!(ask(&mut client, request("key-too-late")).await.unwrap_err(), "NOT_FOUND");
    assert_eq!(world.text(left).await, ["0"]);
}

#[tokio::test]
async fn the_answer_that_is_due_first_comes_first_and_overdue_ones_are_listed() {
    let world = World::new().await;
    let desk = world.serve(NOBODY).await;
    ask(&mut learner(&desk, OTHER), request("key-without-plan")).await.unwrap();
    grant(&desk).await;
    let promised = ask(&mut own(&desk), request("key-with-a-plan")).await.unwrap();
    assert!(stdout(&command(&world, &["next"])).contains(&promised));
    world
        .text("UPDATE teacher_question SET due_at = now() - interval '1 hour' WHERE due_at IS NOT NULL")
        .await;
    let status = stdout(&command(&world, &["status"]));
    assert!(status.starts_with("waiting 2\noverdue 1\n") && status.contains(&promised), "{status}");
    let empty = command_with(&world, &["answer", &promised, "-", "--teacher", "高瀬航"], " \n");
    assert!(String::from_utf8_lossy(&empty.stderr).contains("the answer is empty"), "{empty:?}");
}
