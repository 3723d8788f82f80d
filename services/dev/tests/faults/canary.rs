//! Nothing that belongs to a person is written where it does not belong: no mail address, name, token or code in any log
//! or trace of ours.

use std::fs;
use std::path::Path;

use crate::entrant::{Entrant, NAMES, PASSWORD};
use crate::mailbox::Mailbox;
use crate::product::Product;

/// A trace that is looked at afterwards.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_up_and_a_new_password_leave_nothing_of_the_person_in_logs_and_traces() {
    let product = Product::start();
    let mailbox = Mailbox::of(&product);
    // Of this run's own: the product may have been here before.
    let name = format!("canary-{}", uuid::Uuid::now_v7().simple());
    let entrant = Entrant::new(&product, &name).traced(TRACE);
    let sign_up = entrant.start().await.expect("nothing is in the way");
    let code = mailbox.code(&entrant.email).await;
    let handle = entrant.verify(&sign_up, &code).await;
    entrant.complete(&handle).await.expect("the address is proven");
    entrant.forget_password().await;
    let link = mailbox.reset_link(&entrant.email).await;
    let (uid, token) = link.rsplit_once('/').expect("a link has an account and a token");
    entrant.choose_password(uid, token).await;
    // Told when the password is set: everything before it was told too.
    mailbox.wait_for_kinds(&entrant.email, 4).await;

    let canaries: Vec<&str> =
        [&*entrant.email, &*name, &*sign_up, &*handle, token, PASSWORD].into_iter().chain(NAMES).collect();
    let trace = product.said(&["trace", TRACE]);
    assert!(trace.contains("deliver auth.v1.SignUpStarted") && trace.contains("send sign_up"), "{trace}");
    let mut texts = vec![("the trace".to_owned(), trace)];
    read(&product.state().join("logs"), &mut texts);
    assert!(texts.iter().any(|(name, _)| name.ends_with("desk.log")));
    for (name, text) in &texts {
        for canary in &canaries {
            assert!(!text.contains(canary), "{name} says {canary}");
        }
        assert!(!says_number(text, &code), "{name} says the code {code}");
    }
}

/// Whether a number stands alone in a text. (Within times and ids any six digits may come.)
fn says_number(text: &str, number: &str) -> bool {
    let goes_on = |char: char| char.is_ascii_alphanumeric() || char == '.';
    text.match_indices(number)
        .any(|(at, _)| !text[..at].ends_with(goes_on) && !text[at + number.len()..].starts_with(goes_on))
}

/// Everything in a folder, as text.
fn read(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it lists its files").path();
        // The catcher's own is about mails, and no part of the product.
        if path.is_dir() {
            read(&path, texts);
        } else if !path.ends_with("mail.log") {
            let content = fs::read(&path).expect("a log is a file");
            texts.push((path.display().to_string(), String::from_utf8_lossy(&content).into_owned()));
        }
    }
}
