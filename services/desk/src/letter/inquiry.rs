//! The two mails of an inquiry: one to who wrote it, one to the school.

use time::OffsetDateTime;

use super::Letter;
use crate::contact::Inquiry;
use crate::moment::in_words;

/// To the sender: number, kind and time. Nothing that was typed: anybody may have typed anybody's address.
pub(crate) fn receipt(inquiry: &Inquiry, number: &str, now: OffsetDateTime) -> Letter {
    let mut letter = Letter::new(
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
    letter.facts = vec![
        ("受付番号", number.to_owned()),
        ("種類", inquiry.kind_name.to_owned()),
        ("受付日時", in_words(now)),
    ];
    letter
}

/// To the school: an answer to it goes to who wrote.
pub(crate) fn forwarded(
    inquiry: &Inquiry,
    number: &str,
    school: &str,
    trace_id: &str,
    picture: Option<Vec<u8>>,
) -> Letter {
    let mut letter = Letter::new(
        "contact",
        school.to_owned(),
        format!("【お問い合わせ】{} {number}", inquiry.kind_name),
    )
    .line("サイトの「お問い合わせ」から、次の内容が届きました。このメールに返信すると、ご本人に届きます。")
    .why(
        "このメールは、お問い合わせの受付先にお送りしています。",
        "ご本人には、受け付けたことをお知らせしています。",
    );
    letter.facts = vec![
        ("受付番号", number.to_owned()),
        ("種類", inquiry.kind_name.to_owned()),
        ("お名前", inquiry.name.clone()),
        ("メールアドレス", inquiry.email.clone()),
        ("調査用の番号", trace_id.to_owned()),
    ];
    letter.quote = Some(inquiry.text.clone());
    letter.reply_to = Some(inquiry.email.clone());
    letter.picture = picture;
    letter
}
