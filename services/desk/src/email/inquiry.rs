//! The two emails of an inquiry: a receipt for the sender and a copy for the school.

use time::OffsetDateTime;

use super::Email;
use crate::contact::Inquiry;
use crate::japan_time::format_in_japan;

/// Writes the receipt for the sender: number, kind and time. It contains nothing that was typed, because the address
/// may belong to another person.
pub(crate) fn write_receipt(inquiry: &Inquiry, number: &str, now: OffsetDateTime) -> Email {
    let mut email = Email::new(
        "contact_receipt",
        inquiry.email.clone(),
        format!("コノマナ お問い合わせを受け付けました（{number}）"),
    )
    .line("お問い合わせいただき、ありがとうございます。次のとおり受け付けました。")
    .line("お送りいただいた文章は、安全のため、このメールにはのせていません。")
    .line("お返事は、平日の3日以内に、このメールアドレスにお送りします。")
    .button("よくある質問を見る", "/inquiry")
    .why(
        "このメールは、コノマナの「お問い合わせ」にこのアドレスが入力されたため、お送りしています。",
        "お心当たりがない場合は、このメールを削除してください。",
    );
    email.facts = vec![
        ("受付番号", number.to_owned()),
        ("種類", inquiry.kind_name.to_owned()),
        ("受付日時", format_in_japan(now)),
    ];
    email
}

/// Writes the copy for the school. A reply goes to the sender of the inquiry.
pub(crate) fn write_copy(
    inquiry: &Inquiry,
    number: &str,
    school: &str,
    trace_id: &str,
    picture: Option<Vec<u8>>,
) -> Email {
    let mut email = Email::new(
        "contact",
        school.to_owned(),
        format!("【お問い合わせ】{} {number}", inquiry.kind_name),
    )
    .line("サイトの「お問い合わせ」から、次の内容が届きました。このメールに返信すると、ご本人に届きます。")
    .why(
        "このメールは、お問い合わせの受付先にお送りしています。",
        "ご本人には、受け付けたことをお知らせしています。",
    );
    email.facts = vec![
        ("受付番号", number.to_owned()),
        ("種類", inquiry.kind_name.to_owned()),
        ("お名前", inquiry.name.clone()),
        ("メールアドレス", inquiry.email.clone()),
        ("調査用の番号", trace_id.to_owned()),
    ];
    email.quote = Some(inquiry.text.clone());
    email.reply_to = Some(inquiry.email.clone());
    email.picture = picture;
    email
}
