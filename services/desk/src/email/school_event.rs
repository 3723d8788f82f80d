//! Emails about events of the school, to the person who signed up.

use time::OffsetDateTime;

use super::Email;
use super::account::Recipient;
use crate::japan_time::format_in_japan;
use crate::notification_topic::Topic;

const WHY: &str = "このメールは、コノマナのイベントに申し込んだ方にお送りしています。";
const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

/// The event that an email is about.
pub(crate) struct EventFacts<'a> {
    pub(crate) id: i64,
    pub(crate) title: &'a str,
    pub(crate) place: &'a str,
    pub(crate) starts_at: OffsetDateTime,
    pub(crate) ends_at: OffsetDateTime,
}

/// The subject of an email about an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News {
    SignedUp,
    /// At this position of the waiting list.
    Waiting(i64),
    /// A place is held until this time.
    Offered(OffsetDateTime),
    OfferLapsed,
    Cancelled,
    Reminder,
}

/// Writes an email about the entry of a participant.
pub(crate) fn write_news(
    recipient: Recipient,
    event: &EventFacts<'_>,
    participant: String,
    news: News,
) -> Email {
    let (kind, subject) = match news {
        News::SignedUp => ("event_signed_up", "イベントの申し込みを受け付けました"),
        News::Waiting(_) => ("event_waiting", "イベントのキャンセル待ちを受け付けました"),
        News::Offered(_) => ("event_offered", "キャンセル待ちのイベントに空きが出ました"),
        News::OfferLapsed => ("event_offer_lapsed", "イベントの席のご案内の期限が過ぎました"),
        News::Cancelled => ("event_cancelled", "イベントの申し込みを取り消しました"),
        News::Reminder => ("event_reminder", "イベントが近づいています"),
    };
    let mut email = Email::for_buyer(kind, recipient, &format!("コノマナ {subject}")).why(WHY, CONTACT);
    if let News::Offered(_) | News::OfferLapsed | News::Reminder = news {
        email = email.topic(Topic::Event);
    }
    email.facts = vec![
        ("イベント", event.title.to_owned()),
        ("参加する方", participant),
        ("開始", format_in_japan(event.starts_at)),
        ("終了", format_in_japan(event.ends_at)),
        ("場所", event.place.to_owned()),
    ];
    let path = format!("/mypage/event/{}", event.id);
    match news {
        News::SignedUp => email
            .line("イベントの申し込みを受け付けました。当日のご参加をお待ちしています。")
            .line("ご都合が悪くなったときは、開始の時刻までに、イベントのページから取り消してください。")
            .button("イベントの内容を見る", path),
        News::Waiting(position) => email
            .line(format!("満席のため、キャンセル待ちとして受け付けました。いまの順番は{position}番目です。"))
            .line("空きが出ると、順番にメールでご案内します。ご案内から24時間以内に、参加するかどうかをお選びください。")
            .button("順番を確認する", path),
        News::Offered(until) => {
            email.facts.push(("お返事の期限", format_in_japan(until)));
            email
                .line("キャンセル待ちをされているイベントに空きが出たため、席をお取りしています。")
                .line("参加するときは、期限までに、イベントのページで「参加する」を選んでください。期限が過ぎると、次の方にご案内します。")
                .button("参加するかどうかを選ぶ", path)
        }
        News::OfferLapsed => email
            .line("お返事の期限が過ぎたため、お取りしていた席は、次の方にご案内します。")
            .line("もう一度申し込むと、キャンセル待ちの最後に並びます。")
            .button("イベントの内容を見る", path),
        News::Cancelled => email
            .line("イベントの申し込みを取り消しました。")
            .line("もう一度参加したくなったときは、受け付けの期間中なら、イベントのページから申し込めます。")
            .button("イベントの内容を見る", path),
        News::Reminder => email
            .line("申し込まれたイベントの開始まで、あと24時間を切りました。")
            .line("ご都合が悪くなったときは、開始の時刻までに取り消してください。お待ちの方に席をご案内できます。")
            .button("イベントの内容を見る", path),
    }
}
