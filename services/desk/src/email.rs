//! Emails: subject and content, and their conversion to a message with a text and an HTML part.

pub(crate) mod account;
mod address;
pub(crate) mod exam;
mod examples;
pub(crate) mod guardian;
pub(crate) mod inquiry;
pub(crate) mod interview;
pub(crate) mod notice;
pub(crate) mod order;
pub(crate) mod payment;
pub(crate) mod question;
pub(crate) mod school_event;
pub(crate) mod subscription;
pub(crate) mod weekly_report;

pub(crate) use account::Recipient;
pub(crate) use address::parse_address;

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use askama::Template;
use kit::Failure;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, MultiPartKind, SinglePart};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::config::EmailSettings;
use crate::error::Error;
use crate::notification_topic::Topic;

/// Display name of the sender.
const SENDER: &str = "コノマナ";

/// The content of an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    /// E.g. `password_changed`.
    pub kind: &'static str,
    /// The recipient's address.
    pub to: String,
    /// The topic of a notification; `None` for an email that can't be switched off.
    pub topic: Option<Topic>,
    /// Identifies the occurrence of a notification that may be announced several times, e.g. a week.
    pub occurrence: Option<String>,
    /// The account concerned; `None` during sign-up and for inquiries.
    pub account: Option<Uuid>,
    /// The birth date of the account, if the event says it. It is not part of the email.
    pub(crate) birth_date: Option<Date>,
    /// Whether the account also gets a notice in the site with the same text.
    pub(crate) has_notice: bool,
    subject: String,
    /// E.g. `山田 花子 さん`.
    greeting: Option<String>,
    /// Paragraphs.
    lines: Vec<String>,
    /// Table of names and values.
    facts: Vec<(&'static str, String)>,
    /// Pages of the site to read: names and paths.
    links: Vec<(&'static str, Cow<'static, str>)>,
    /// Text of an inquiry, unchanged.
    quote: Option<String>,
    /// Confirmation code.
    code: Option<String>,
    button: Option<Button>,
    /// Expiry of the code and the link.
    until: Option<String>,
    /// The terms and the contract document of an order.
    documents: Vec<Document>,
    /// Footer: why the email was sent, and what to do if the reader did not cause it.
    why: Vec<String>,
    /// The token that ends such emails.
    unsubscribe: Option<String>,
    /// Address for replies. Without it, replies are not read.
    reply_to: Option<String>,
    /// Attached JPEG.
    picture: Option<Vec<u8>>,
}

impl Email {
    /// The subject without the name of the sender.
    pub(crate) fn headline(&self) -> &str {
        self.subject.trim_start_matches(SENDER).trim_start()
    }

    /// The notice in the site with the same text.
    pub(crate) fn notice(&self) -> Option<EmailNotice<'_>> {
        let summary = self.lines.first().filter(|_| self.has_notice)?;
        Some(EmailNotice { title: self.headline(), summary, body: self.lines.join("\n\n") })
    }

    /// The page that ends such emails.
    fn unsubscribe_path(&self) -> Option<String> {
        self.unsubscribe.as_ref().map(|token| format!("/confirm/unsubscribe#token={token}"))
    }

    /// The page that the button opens; empty without a button.
    pub(crate) fn path(&self) -> &str {
        self.button.as_ref().map_or("", |button| &button.path)
    }
}

/// The text of an email as a notice in the site.
pub(crate) struct EmailNotice<'a> {
    pub(crate) title: &'a str,
    pub(crate) summary: &'a str,
    pub(crate) body: String,
}

/// A link shown as a button.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Button {
    label: &'static str,
    /// Path and fragment, appended to the public origin.
    path: String,
}

/// A text with titled sections that the reader can keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    title: Cow<'static, str>,
    sections: Vec<Section>,
}

/// A section of a document. The text may have several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) text: String,
}

#[derive(Template)]
#[template(path = "email.html")]
struct Html<'a> {
    email: &'a Email,
    origin: &'a str,
}

#[derive(Template)]
#[template(path = "email.txt")]
struct Text<'a> {
    email: &'a Email,
    origin: &'a str,
}

/// An email with example values.
struct Example {
    email: Email,
    /// The name of its files, without an extension.
    file: String,
}

#[derive(Template)]
#[template(path = "examples.html")]
struct ExampleList<'a> {
    examples: &'a [Example],
}

/// Prevents automatic replies (RFC 3834).
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

/// Where a mail client ends such emails with one request (RFC 2369 and RFC 8058).
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(value: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(value.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::dangerous_new_pre_encoded(Self::name(), self.0.clone(), self.0.clone())
    }
}

/// Says that the request needs no confirmation (RFC 8058).
#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

/// Converts emails to messages.
#[derive(Clone)]
pub struct EmailFormatter(EmailSettings);

impl EmailFormatter {
    /// A formatter with these settings.
    #[must_use]
    pub fn new(settings: &EmailSettings) -> Self {
        Self(settings.clone())
    }

    /// Renders the text and the HTML part.
    fn render(&self, email: &Email) -> Result<(String, String), Error> {
        let origin = &self.0.public_origin;
        Ok((Text { email, origin }.render()?, Html { email, origin }.render()?))
    }

    /// Writes every email with example values to a folder: an HTML and a text file each, and `index.html`. Returns the path
    /// of that.
    ///
    /// # Errors
    ///
    /// If a template can't be rendered, or a file can't be written.
    pub fn write_examples(&self, folder: &Path) -> Result<PathBuf, Failure> {
        fs::create_dir_all(folder)?;
        let mut examples: Vec<Example> = Vec::new();
        for email in examples::list_examples() {
            let email = match email.topic {
                Some(_) => email.with_unsubscribe("T0ken".to_owned()),
                None => email,
            };
            let same = examples.iter().filter(|example| example.email.kind == email.kind).count();
            let file = if same == 0 { email.kind.to_owned() } else { format!("{}-{}", email.kind, same + 1) };
            let (text, html) = self.render(&email)?;
            fs::write(folder.join(format!("{file}.txt")), text)?;
            fs::write(folder.join(format!("{file}.html")), html)?;
            examples.push(Example { email, file });
        }
        let index = folder.join("index.html");
        fs::write(&index, ExampleList { examples: &examples }.render()?)?;
        Ok(index)
    }

    /// Formats the message of the event `id` of the time `created`. The bytes are always the same, so that mail clients
    /// recognise a message that is sent twice. `None` if the recipient's address is invalid.
    ///
    /// # Errors
    ///
    /// If a template or the message cannot be built.
    pub fn format_message(
        &self,
        email: &Email,
        id: Uuid,
        created: OffsetDateTime,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(to) = parse_address(&email.to) else {
            return Ok(None);
        };
        let (text, html) = self.render(email)?;
        let origin = &self.0.public_origin;
        let from = &self.0.mail_from;
        // Fixed instead of random. No line of an email looks like it.
        let boundary = format!("konomana-{}", id.simple());
        let alternatives = MultiPart::builder()
            .kind(MultiPartKind::Alternative)
            .boundary(boundary)
            .singlepart(SinglePart::plain(text))
            .singlepart(SinglePart::html(html));
        let mut message = Message::builder()
            .from(Mailbox::new(Some(SENDER.to_owned()), from.clone()))
            .to(Mailbox::new(None, to.clone()))
            .subject(email.subject.as_str())
            .date(created.into())
            .message_id(Some(format!("<{id}@{}>", from.domain())))
            .header(AutoSubmitted)
            // Set explicitly: lettre cannot parse a quoted address from a header.
            .envelope(Envelope::new(Some(from.clone()), vec![to.clone()])?);
        if let Some(token) = &email.unsubscribe {
            let address = format!("<{origin}/api/desk/notification/unsubscribe/{token}/>");
            message = message.header(ListUnsubscribe(address)).header(ListUnsubscribePost);
        }
        if let Some(reply_to) = email.reply_to.as_deref().and_then(parse_address) {
            message = message.reply_to(Mailbox::new(None, reply_to));
        }
        let message = match &email.picture {
            None => message.multipart(alternatives)?,
            Some(picture) => message.multipart(
                MultiPart::builder()
                    .kind(MultiPartKind::Mixed)
                    .boundary(format!("picture-{}", id.simple()))
                    .multipart(alternatives)
                    .singlepart(
                        Attachment::new("picture.jpg".to_owned())
                            .body(picture.clone(), ContentType::parse("image/jpeg")?),
                    ),
            )?,
        };
        Ok(Some(message.formatted()))
    }
}
