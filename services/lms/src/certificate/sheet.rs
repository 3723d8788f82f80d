//! The content of a printed certificate.

use kit::error::FieldError;
use kit_pdf::{Certificate as Sheet, Fact};
use time::macros::offset;

use super::Certificate;

/// The maximum length of a URL, in characters.
const URL_LIMIT: usize = 200;

/// The URL of the page that checks a certificate.
pub(crate) struct CheckUrl(String);

impl CheckUrl {
    /// Parses a URL: 1 to 200 printable ASCII characters.
    pub(crate) fn parse(text: String) -> Result<Self, FieldError> {
        let code = if text.is_empty() {
            "REQUIRED"
        } else if text.len() > URL_LIMIT {
            "TOO_LONG"
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            "INVALID_FORMAT"
        } else {
            return Ok(Self(text));
        };
        Err(FieldError::new("check_url", code))
    }
}

/// Makes the sheet of a certificate. Equal certificates make equal sheets.
pub(crate) fn make_sheet(certificate: &Certificate, check_url: CheckUrl) -> Sheet {
    let date = certificate.issued_at.to_offset(offset!(+9)).date();
    Sheet {
        title: "修了証".to_owned(),
        addressee: format!("{} 様", certificate.learner_name),
        statement: "あなたは、コノマナの次の講座のすべてのレッスンを学び、\n修了したことをここに証します。"
            .to_owned(),
        subject: certificate.course_name.clone(),
        date: format!("{}年{}月{}日", date.year(), u8::from(date.month()), date.day()),
        issuer: "コノマナ".to_owned(),
        facts: vec![
            Fact::new("証明書番号", certificate.id.to_string()),
            Fact::new("確認ページ", check_url.0),
        ],
    }
}
