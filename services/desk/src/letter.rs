//! Letters: what a mail says, as text and as HTML of one layout.

mod address;
mod guardian;
pub(crate) mod inquiry;
mod words;

pub(crate) use address::parse as address;

use askama::Template;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, MultiPartKind, SinglePart};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::config::Letters;
use crate::error::Error;

/// Who people see a mail come from.
const SENDER: &str = "コノマナ";

/// What a mail says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// What it is about, e.g. `password_changed`.
    pub kind: &'static str,
    /// The address it goes to.
    pub to: String,
    /// The account it belongs to; none while somebody signs up.
    pub account: Option<Uuid>,
    subject: String,
    /// E.g. `山田 花子 さん`.
    greeting: Option<String>,
    /// Paragraphs.
    lines: Vec<String>,
    /// What is known about it: names and values.
    facts: Vec<(&'static str, String)>,
    /// What somebody wrote, as they wrote it.
    quote: Option<String>,
    /// Digits to type.
    code: Option<String>,
    button: Option<Button>,
    /// Until when the code and the link work.
    until: Option<String>,
    /// Why it was sent, and what to do if it was not you.
    why: Vec<String>,
    /// Whom an answer goes to; none is read where there is nobody.
    reply_to: Option<String>,
    /// A JPEG that goes with it.
    picture: Option<Vec<u8>>,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Button {
    label: &'static str,
    /// After the origin.
    path: String,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    letter: &'a Letter,
    origin: &'a str,
}

#[derive(Template)]
#[template(path = "letter.txt")]
struct Text<'a> {
    letter: &'a Letter,
    origin: &'a str,
}

/// So that nobody's holiday answers (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// Puts letters into the form that travels.
#[derive(Clone)]
pub struct Writer(Letters);

impl Writer {
    /// As it is configured.
    #[must_use]
    pub fn new(letters: &Letters) -> Self {
        Self(letters.clone())
    }

    /// The message of what happened at `created` and is known as `id`: always the same bytes, so that a mail sent twice
    /// is one mail. `None` where no mail can go to such an address.
    pub fn write(
        &self,
        letter: &Letter,
        id: Uuid,
        created: OffsetDateTime,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(to) = address(&letter.to) else {
            return Ok(None);
        };
        let origin = &self.0.public_origin;
        let from = &self.0.mail_from;
        // Random by default; a hyphen and letters that no line of ours is.
        let boundary = format!("konomana-{}", id.simple());
        let said = MultiPart::builder()
            .kind(MultiPartKind::Alternative)
            .boundary(boundary)
            .singlepart(SinglePart::plain(Text { letter, origin }.render()?))
            .singlepart(SinglePart::html(Html { letter, origin }.render()?));
        let mut message = Message::builder()
            .from(Mailbox::new(Some(SENDER.to_owned()), from.clone()))
            .to(Mailbox::new(None, to.clone()))
            .subject(letter.subject.as_str())
            .date(created.into())
            .message_id(Some(format!("<{id}@{}>", from.domain())))
            .header(AutoSubmitted)
            // Said, as lettre can't read a quoted address back from a header.
            .envelope(Envelope::new(Some(from.clone()), vec![to.clone()])?);
        if let Some(reply_to) = letter.reply_to.as_deref().and_then(address) {
            message = message.reply_to(Mailbox::new(None, reply_to));
        }
        let message = match &letter.picture {
            None => message.multipart(said)?,
            Some(picture) => message.multipart(
                MultiPart::builder()
                    .kind(MultiPartKind::Mixed)
                    .boundary(format!("picture-{}", id.simple()))
                    .multipart(said)
                    .singlepart(
                        Attachment::new("picture.jpg".to_owned())
                            .body(picture.clone(), ContentType::parse("image/jpeg")?),
                    ),
            )?,
        };
        Ok(Some(message.formatted()))
    }
}
