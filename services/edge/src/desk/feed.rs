//! Notices as an Atom feed (RFC 4287).

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use proto::desk;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::notice::Notice;
use crate::Edge;
use crate::answer::public_response;
use crate::error::Error;

/// Returns the newest notices as a feed.
#[utoipa::path(
    get,
    path = "/api/desk/notice/feed/",
    operation_id = "notice_feed",
    tag = "desk",
    responses(
        (status = 200, description = "The Atom feed (RFC 4287).", content_type = "application/atom+xml", body = String),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn feed(State(edge): State<Edge>, headers: HeaderMap) -> Result<Response, Error> {
    let request = desk::ListNoticesRequest { page: 1, category: None };
    let list = edge.notices().list_notices(request).await?.into_inner();
    let notices = list.notices.into_iter().map(Notice::new).collect::<Result<Vec<_>, _>>()?;
    let feed = write_feed(edge.origin(), &notices)?;
    Ok(public_response(&headers, edge.public_max_age(), "application/atom+xml", feed.into_bytes()))
}

/// Writes the feed. Its links point to `origin`.
fn write_feed(origin: &str, notices: &[Notice]) -> Result<String, Error> {
    let updated = notices.iter().map(|notice| notice.modified_at).max().unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let origin = escape(origin);
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"ja\">\n\
         <id>{origin}/notice</id>\n\
         <title>コノマナ お知らせ</title>\n\
         <updated>{}</updated>\n\
         <author><name>コノマナ</name></author>\n\
         <link rel=\"self\" type=\"application/atom+xml\" href=\"{origin}/api/desk/notice/feed/\"/>\n\
         <link rel=\"alternate\" type=\"text/html\" href=\"{origin}/notice\"/>\n",
        format_timestamp(updated)?
    );
    for Notice { summary, modified_at, .. } in notices {
        let _ = write!(
            feed,
            "<entry>\n<id>{origin}/notice/{id}</id>\n<title>{title}</title>\n<published>{published}</published>\n\
             <updated>{updated}</updated>\n<category term=\"{category}\"/>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{origin}/notice/{id}\"/>\n\
             <summary>{text}</summary>\n</entry>\n",
            id = summary.id,
            title = escape(&summary.title),
            published = format_timestamp(summary.published_at)?,
            updated = format_timestamp(*modified_at)?,
            category = escape(&summary.category),
            text = escape(&summary.summary),
        );
    }
    feed.push_str("</feed>\n");
    Ok(feed)
}

fn format_timestamp(timestamp: OffsetDateTime) -> Result<String, Error> {
    timestamp.format(&Rfc3339).map_err(|error| {
        tracing::error!(%error, "a time could not be formatted");
        Error::Internal
    })
}

/// Escapes text for elements and attributes. Removes characters that XML does not allow.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(sign),
            '\u{fffe}' | '\u{ffff}' => {}
            sign if sign.is_control() => {}
            sign => escaped.push(sign),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn xml_special_characters_are_escaped() {
        assert_eq!(
            escape("<b>「春」& \"夏\"</b>\u{b}\u{ffff}"),
            "&lt;b&gt;「春」&amp; &quot;夏&quot;&lt;/b&gt;"
        );
    }
}
