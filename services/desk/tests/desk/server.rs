//! A mail server that takes what it is brought, or answers as it is told.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// A mail as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) message: String,
}

/// What is said after a message.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// This line.
    Line(&'static str),
    /// Nothing: the connection is cut, though the mail is taken.
    Cut,
    /// Nothing, ever.
    Silence,
}

pub(crate) struct MailServer {
    pub(crate) address: SocketAddr,
    pub(crate) mails: mpsc::UnboundedReceiver<Mail>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
    _listening: JoinSet<()>,
}

impl MailServer {
    pub(crate) async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap()).await
    }

    pub(crate) async fn start_at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
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

    /// Answers the next messages so, then takes them again.
    pub(crate) fn answer(&self, replies: impl IntoIterator<Item = Reply>) {
        self.replies.lock().unwrap().extend(replies);
    }

    pub(crate) fn url(&self) -> String {
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
                write.write_all(b"354 go on\r\n").await.ok()?;
                let mut message = String::new();
                while let Some(line) = lines.next_line().await.ok()?.filter(|line| line != ".") {
                    message.push_str(line.strip_prefix('.').unwrap_or(&line));
                    message.push('\n');
                }
                let reply = replies.lock().unwrap().pop_front();
                mails.send(Mail { to: to.clone(), message }).ok()?;
                match reply {
                    None => "250 taken\r\n",
                    Some(Reply::Line(line)) => line,
                    Some(Reply::Cut) => return None,
                    Some(Reply::Silence) => std::future::pending().await,
                }
            }
            _ => "250 ok\r\n",
        };
        write.write_all(answer.as_bytes()).await.ok()?;
    }
    None
}
