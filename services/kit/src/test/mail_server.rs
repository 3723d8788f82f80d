//! An SMTP server that accepts every mail, or answers as a test specifies.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

const TAKEN: &str = "250 taken\r\n";
const LOCKED: &str = "the lock is not poisoned";

/// A received mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient in the envelope.
    pub to: String,
    /// Headers and body.
    pub message: String,
}

/// The answer to a message.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Answers with this line.
    Line(&'static str),
    /// Accepts the mail and closes the connection without an answer.
    Cut,
    /// Never answers.
    Silence,
    /// Accepts the mail when notified.
    Later(Arc<Notify>),
    /// Never answers the command before the message. Notifies when it is reached.
    Deaf(Arc<Notify>),
}

/// Serves until it is dropped.
pub struct MailServer {
    /// Its address.
    pub address: SocketAddr,
    /// The received mails.
    pub mails: mpsc::UnboundedReceiver<Mail>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
    _listening: JoinSet<()>,
}

impl MailServer {
    /// Listens on a free port of 127.0.0.1.
    pub async fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Listens on `address`.
    pub async fn start_at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("bind the port");
        let address = listener.local_addr().expect("local address");
        let (sender, mails) = mpsc::unbounded_channel();
        let replies: Arc<Mutex<VecDeque<Reply>>> = Arc::default();
        let (script, mut listening) = (replies.clone(), JoinSet::new());
        listening.spawn(async move {
            let mut talks = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                talks.spawn(talk(stream, sender.clone(), script.clone()));
            }
        });
        Self { address, mails, replies, _listening: listening }
    }

    /// Answers the next messages with these replies, then accepts again.
    pub fn answer(&self, replies: impl IntoIterator<Item = Reply>) {
        self.replies.lock().expect(LOCKED).extend(replies);
    }

    /// Its URL, for the settings of desk.
    #[must_use]
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }
}

async fn talk(
    stream: TcpStream,
    mails: mpsc::UnboundedSender<Mail>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
) -> Option<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 test ESMTP\r\n").await.ok()?;
    let mut to = String::new();
    while let Some(line) = lines.next_line().await.ok()? {
        let verb = line.split(' ').next().unwrap_or_default().to_uppercase();
        let answer = match verb.as_str() {
            "EHLO" => "250-test\r\n250-8BITMIME\r\n250 PIPELINING\r\n",
            "RCPT" => {
                to = line.split_once('<')?.1.rsplit_once('>')?.0.to_owned();
                "250 ok\r\n"
            }
            "QUIT" => {
                write.write_all(b"221 bye\r\n").await.ok()?;
                return None;
            }
            "DATA" => {
                let reply = replies.lock().expect(LOCKED).pop_front();
                if let Some(Reply::Deaf(reached)) = reply {
                    reached.notify_one();
                    return std::future::pending().await;
                }
                write.write_all(b"354 go on\r\n").await.ok()?;
                let mut message = String::new();
                while let Some(line) = lines.next_line().await.ok()?.filter(|line| line != ".") {
                    message.push_str(line.strip_prefix('.').unwrap_or(&line));
                    message.push('\n');
                }
                mails.send(Mail { to: to.clone(), message }).ok()?;
                match reply {
                    None => TAKEN,
                    Some(Reply::Line(line)) => line,
                    Some(Reply::Cut) => return None,
                    Some(Reply::Later(told)) => {
                        told.notified().await;
                        TAKEN
                    }
                    Some(Reply::Silence | Reply::Deaf(_)) => std::future::pending().await,
                }
            }
            _ => "250 ok\r\n",
        };
        write.write_all(answer.as_bytes()).await.ok()?;
    }
    None
}
