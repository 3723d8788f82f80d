//! The mails of the mail catcher.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;

use crate::learner::Learner;
use crate::product::{Product, until};

/// Limit for the delivery of a mail without faults.
const SOON: Duration = Duration::from_secs(30);

/// All mails of a product.
pub(crate) struct Mailbox(Learner);

impl Mailbox {
    pub(crate) fn open(product: &Product) -> Self {
        let address = product.process("mail").expect("the catcher runs").address;
        let address: SocketAddr = address.parse().expect("the address is valid");
        Self(Learner::stranger(&format!("http://{address}")))
    }

    /// Returns the texts of the mails to an address, by Message-ID.
    pub(crate) async fn to(&self, address: &str) -> BTreeMap<String, Vec<String>> {
        let caught = self.0.get("/api/email").await.body;
        let mut mails: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for mail in caught.as_array().into_iter().flatten().filter(|mail| is_to(mail, address)) {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let said = ["subject", "text", "html"].map(|part| text(&mail[part])).join("\n");
            mails.entry(text(&mail["headers"]["message-id"])).or_default().push(said);
        }
        mails
    }

    /// Waits for at least `count` different mails.
    pub(crate) async fn wait_for(&self, address: &str, count: usize) {
        until(SOON, "all mails are delivered", async || self.to(address).await.len() >= count).await;
    }

    /// Waits for a mail with a link. Returns what follows `path` in the link.
    pub(crate) async fn link(&self, address: &str, path: &str) -> String {
        let mut link = None;
        until(SOON, "the mail with the link is delivered", async || {
            let mails = self.to(address).await;
            let after = |text: &String| Some(text.split_once(path)?.1.split_whitespace().next()?.to_owned());
            link = mails.values().flatten().find_map(after);
            link.is_some()
        })
        .await;
        link.unwrap_or_default()
    }

    /// Waits for a mail with a code of six digits. Returns the code.
    pub(crate) async fn code(&self, address: &str) -> String {
        self.wait_for(address, 1).await;
        self.codes(address).await.swap_remove(0)
    }

    /// Returns the codes in the mails that were delivered to an address.
    pub(crate) async fn codes(&self, address: &str) -> Vec<String> {
        let mails = self.to(address).await;
        let code = |texts: &Vec<String>| {
            let (_, code) = texts[0].split_once("確認コード： ").expect("the mail has a code");
            code.chars().take(6).collect()
        };
        mails.values().map(code).collect()
    }
}

fn is_to(mail: &Value, address: &str) -> bool {
    mail["to"].as_array().into_iter().flatten().any(|to| to["address"] == address)
}
