//! auth and desk are killed (SIGKILL) at each step of a sign-up: nothing stays half made, no mail is lost, and a mail
//! comes twice at most where the mail server's answer was lost, the same then.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use kit::test::{Mail, Reply};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::couple::Couple;
use crate::entrant::Entrant;
use crate::product::until;

/// How often somebody is killed at each point.
const TIMES: usize = 10;
/// Longer than the leases of who was killed over an event (3 s) and over a mail (10 s here), and than the rests after
/// some tries in vain.
const DELIVERY: Duration = Duration::from_mins(3);

/// Where in a sign-up somebody is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// auth, before the sign-up is written.
    AuthBeforeSignUp,
    /// auth, between the sign-up and its event, in one transaction.
    AuthBeforeEvent,
    /// auth, while it delivers the event.
    AuthDelivering,
    /// auth, when desk has the event and auth does not know.
    AuthBeforeForgetting,
    /// desk, between taking the event and writing the mail, in one transaction.
    DeskBeforeMail,
    /// desk, while it sends the mail.
    DeskSending,
    /// desk, when the mail server has the mail and desk does not know.
    DeskBeforeForgetting,
    /// auth, between the proven sign-up and its account, in one transaction.
    AuthBeforeAccount,
}

const POINTS: [Point; 8] = [
    Point::AuthBeforeSignUp,
    Point::AuthBeforeEvent,
    Point::AuthDelivering,
    Point::AuthBeforeForgetting,
    Point::DeskBeforeMail,
    Point::DeskSending,
    Point::DeskBeforeForgetting,
    Point::AuthBeforeAccount,
];

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_killed_at_whatever_step_of_a_sign_up_nothing_is_half_made_and_no_mail_is_lost() {
    let couples = (0..TIMES).map(|_| async {
        let mut couple = Couple::start().await;
        for point in POINTS {
            sign_up(&mut couple, point).await;
        }
    });
    join_all(couples).await;
}

/// A sign-up with a kill at that point, and on from there as its owner would.
async fn sign_up(couple: &mut Couple, point: Point) {
    let entrant = Entrant::at(couple.auth.address, &format!("{point:?}").to_lowercase());
    let handle = begin(couple, &entrant, point).await;
    let mails = settle(couple, &entrant).await;
    let copies = if point == Point::DeskBeforeForgetting { 2 } else { 1 };
    assert_eq!(mails.len(), copies, "{point:?}: {mails:?}");
    assert!(mails.iter().all(|mail| *mail == mails[0]), "{point:?}: {mails:?}");

    let handle = entrant.verify(&handle, &code(&mails[0])).await;
    if point == Point::AuthBeforeAccount {
        let lock = couple.auth.lock("LOCK TABLE account IN EXCLUSIVE MODE").await;
        let (first, ()) = tokio::join!(entrant.complete(&handle), async {
            couple.auth.waits_to("INSERT INTO account (").await;
            couple.auth.kill().await;
        });
        first.expect_err("auth was killed over it");
        lock.end().await;
        couple.auth.rise().await;
    }
    entrant.complete(&handle).await.expect("whatever happened, a sign-up comes to its end");
    assert_eq!(settle(couple, &entrant).await.len(), 1, "{point:?}: a word of welcome");
    couple.auth.has_nothing_half_made().await;
    couple.desk.has_nothing_half_made().await;
}

/// Begins a sign-up with a kill at that point, if it is one of the beginning; gives the handle to go on with.
async fn begin(couple: &mut Couple, entrant: &Entrant, point: Point) -> String {
    const UNAWARE: &str = "nobody waits for a mail";
    match point {
        Point::AuthBeforeSignUp => begin_twice(couple, entrant, "sign_up").await,
        Point::AuthBeforeEvent => begin_twice(couple, entrant, "outbox").await,
        Point::AuthDelivering => {
            let lock = couple.desk.lock("LOCK TABLE inbox IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.waits_to("INSERT INTO inbox").await;
            couple.auth.kill().await;
            lock.end().await;
            couple.auth.rise().await;
            handle
        }
        Point::AuthBeforeForgetting => {
            let delivering = couple.desk.lock("LOCK TABLE inbox IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.waits_to("INSERT INTO inbox").await;
            let lock = couple.auth.lock("SELECT FROM outbox FOR UPDATE").await;
            delivering.end().await;
            couple.auth.waits_to("DELETE FROM outbox").await;
            couple.auth.kill().await;
            assert_eq!(
                couple.auth.count("SELECT count(*) FROM outbox").await,
                1,
                "it will be delivered again"
            );
            lock.end().await;
            couple.auth.rise().await;
            handle
        }
        Point::DeskBeforeMail => {
            let lock = couple.desk.lock("LOCK TABLE mail IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.waits_to("INSERT INTO mail").await;
            couple.desk.kill().await;
            lock.end().await;
            couple.desk.rise().await;
            handle
        }
        Point::DeskSending => {
            let sending = Arc::new(Notify::new());
            couple.mail.answer([Reply::Deaf(sending.clone())]);
            let handle = entrant.start().await.expect(UNAWARE);
            timeout(DELIVERY, sending.notified()).await.expect("desk sends");
            couple.desk.kill().await;
            couple.desk.rise().await;
            handle
        }
        Point::DeskBeforeForgetting => {
            let taken = Arc::new(Notify::new());
            couple.mail.answer([Reply::Later(taken.clone())]);
            let handle = entrant.start().await.expect(UNAWARE);
            let waiting = "SELECT count(*) FROM mail WHERE state = 'waiting' AND tries = 1";
            until(DELIVERY, "desk sends", async || couple.desk.count(waiting).await == 1).await;
            let lock = couple.desk.lock("SELECT FROM mail FOR UPDATE").await;
            taken.notify_one();
            couple.desk.waits_to("UPDATE mail SET state").await;
            couple.desk.kill().await;
            lock.end().await;
            couple.desk.rise().await;
            handle
        }
        Point::AuthBeforeAccount => entrant.start().await.expect(UNAWARE),
    }
}

/// auth is killed while it wants to write into a table; then the person tries again.
async fn begin_twice(couple: &mut Couple, entrant: &Entrant, table: &str) -> String {
    let lock = couple.auth.lock(&format!("LOCK TABLE {table} IN EXCLUSIVE MODE")).await;
    let (first, ()) = tokio::join!(entrant.start(), async {
        couple.auth.waits_to(&format!("INSERT INTO {table} (")).await;
        couple.auth.kill().await;
    });
    first.expect_err("auth was killed over it");
    lock.end().await;
    couple.auth.rise().await;
    let left = format!("SELECT count(*) FROM sign_up WHERE email = '{}'", entrant.email);
    assert_eq!(couple.auth.count(&left).await, 0, "what was begun is undone");
    entrant.start().await.expect("it can be done again")
}

/// Waits until nothing is under way any more; gives the mails that came since the last time, all to this address.
async fn settle(couple: &mut Couple, entrant: &Entrant) -> Vec<Mail> {
    until(DELIVERY, &format!("nothing waits any more for {}", entrant.email), async || {
        couple.auth.count("SELECT count(*) FROM outbox").await == 0
            && couple.desk.count("SELECT count(*) FROM mail WHERE state = 'waiting'").await == 0
    })
    .await;
    let mails: Vec<Mail> = std::iter::from_fn(|| couple.mail.mails.try_recv().ok()).collect();
    assert!(mails.iter().all(|mail| mail.to == entrant.email), "{mails:?}");
    mails
}

/// The six digits that a mail says.
fn code(mail: &Mail) -> String {
    let (_, body) = mail.message.split_once("base64\n\n").expect("its text is in Japanese");
    let body: String = body.lines().take_while(|line| !line.starts_with("--")).collect();
    let text = STANDARD.decode(body.trim()).expect("it is base64");
    let text = String::from_utf8(text).expect("it is UTF-8");
    let (_, code) = text.split_once("確認コード： ").expect("it says the code");
    code.chars().take(6).collect()
}
