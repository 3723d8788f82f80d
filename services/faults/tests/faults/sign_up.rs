//! auth and desk are killed (SIGKILL) at each step of a sign-up. No step stays half done and no
//! mail is lost. A mail is delivered at most twice, with equal content, and only if the mail
//! server's reply was lost.

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

/// Runs of each point, each with its own services.
const TIMES: usize = 10;
/// Limit for a delivery. Longer than the leases of a killed process (3 s for an event, 10 s for a
/// mail here) and than the pauses after several failed tries.
const DELIVERY: Duration = Duration::from_mins(3);

/// The point in a sign-up at which a process is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// auth, before the sign-up is written.
    AuthBeforeSignUp,
    /// auth, between the sign-up and its event, in one transaction.
    AuthBeforeEvent,
    /// auth, while it delivers the event.
    AuthDelivering,
    /// auth, when desk has stored the event and auth has not deleted it.
    AuthBeforeForgetting,
    /// desk, between taking the event and writing the mail, in one transaction.
    DeskBeforeMail,
    /// desk, while it sends the mail.
    DeskSending,
    /// desk, when the mail server has accepted the mail and desk has not recorded it.
    DeskBeforeForgetting,
    /// auth, between the verified sign-up and its account, in one transaction.
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

/// Signs up with a kill at `point`, then continues as the person would.
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
            couple.auth.wait_for_lock_of("INSERT INTO account (").await;
            couple.auth.kill().await;
        });
        first.expect_err("auth was killed during the call");
        lock.end().await;
        couple.auth.restart().await;
    }
    entrant.complete(&handle).await.expect("the sign-up can be completed");
    assert_eq!(settle(couple, &entrant).await.len(), 1, "{point:?}: the welcome mail");
    couple.auth.assert_consistent().await;
    couple.desk.assert_consistent().await;
}

/// Starts a sign-up. Kills a process if `point` is before the code is entered. Returns the handle
/// to continue with.
async fn begin(couple: &mut Couple, entrant: &Entrant, point: Point) -> String {
    const UNAWARE: &str = "a sign-up does not wait for the mail";
    match point {
        Point::AuthBeforeSignUp => begin_twice(couple, entrant, "sign_up").await,
        Point::AuthBeforeEvent => begin_twice(couple, entrant, "outbox").await,
        Point::AuthDelivering => {
            let lock = couple.desk.lock("LOCK TABLE inbox IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.wait_for_lock_of("INSERT INTO inbox").await;
            couple.auth.kill().await;
            lock.end().await;
            couple.auth.restart().await;
            handle
        }
        Point::AuthBeforeForgetting => {
            let delivering = couple.desk.lock("LOCK TABLE inbox IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.wait_for_lock_of("INSERT INTO inbox").await;
            let lock = couple.auth.lock("SELECT FROM outbox FOR UPDATE").await;
            delivering.end().await;
            couple.auth.wait_for_lock_of("DELETE FROM outbox").await;
            couple.auth.kill().await;
            assert_eq!(
                couple.auth.count("SELECT count(*) FROM outbox").await,
                1,
                "the event stays in the outbox"
            );
            lock.end().await;
            couple.auth.restart().await;
            handle
        }
        Point::DeskBeforeMail => {
            let lock = couple.desk.lock("LOCK TABLE mail IN EXCLUSIVE MODE").await;
            let handle = entrant.start().await.expect(UNAWARE);
            couple.desk.wait_for_lock_of("INSERT INTO mail").await;
            couple.desk.kill().await;
            lock.end().await;
            couple.desk.restart().await;
            handle
        }
        Point::DeskSending => {
            let sending = Arc::new(Notify::new());
            couple.mail.answer([Reply::Deaf(sending.clone())]);
            let handle = entrant.start().await.expect(UNAWARE);
            timeout(DELIVERY, sending.notified()).await.expect("desk sends");
            couple.desk.kill().await;
            couple.desk.restart().await;
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
            couple.desk.wait_for_lock_of("UPDATE mail SET state").await;
            couple.desk.kill().await;
            lock.end().await;
            couple.desk.restart().await;
            handle
        }
        Point::AuthBeforeAccount => entrant.start().await.expect(UNAWARE),
    }
}

/// Kills auth while it waits to write into `table`, then starts the sign-up again.
async fn begin_twice(couple: &mut Couple, entrant: &Entrant, table: &str) -> String {
    let lock = couple.auth.lock(&format!("LOCK TABLE {table} IN EXCLUSIVE MODE")).await;
    let (first, ()) = tokio::join!(entrant.start(), async {
        couple.auth.wait_for_lock_of(&format!("INSERT INTO {table} (")).await;
        couple.auth.kill().await;
    });
    first.expect_err("auth was killed during the call");
    lock.end().await;
    couple.auth.restart().await;
    let left = format!("SELECT count(*) FROM sign_up WHERE email = '{}'", entrant.email);
    assert_eq!(couple.auth.count(&left).await, 0, "the transaction was rolled back");
    entrant.start().await.expect("the sign-up can be started again")
}

/// Waits until no event and no mail is left to send. Returns the mails since the last call, all to
/// this address.
async fn settle(couple: &mut Couple, entrant: &Entrant) -> Vec<Mail> {
    until(DELIVERY, &format!("all events and mails for {} are sent", entrant.email), async || {
        couple.auth.count("SELECT count(*) FROM outbox").await == 0
            && couple.desk.count("SELECT count(*) FROM mail WHERE state = 'waiting'").await == 0
    })
    .await;
    let mails: Vec<Mail> = std::iter::from_fn(|| couple.mail.mails.try_recv().ok()).collect();
    assert!(mails.iter().all(|mail| mail.to == entrant.email), "{mails:?}");
    mails
}

/// Returns the six digits in a mail.
fn code(mail: &Mail) -> String {
    let (_, body) = mail.message.split_once("base64\n\n").expect("the mail has a base64 part");
    let body: String = body.lines().take_while(|line| !line.starts_with("--")).collect();
    let text = STANDARD.decode(body.trim()).expect("the part is base64");
    let text = String::from_utf8(text).expect("the text is UTF-8");
    let (_, code) = text.split_once("確認コード： ").expect("the mail has a code");
    code.chars().take(6).collect()
}
