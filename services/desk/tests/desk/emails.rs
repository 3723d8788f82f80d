//! The content of emails.

use desk::email::{Email, EmailFormatter};
use proto::auth::{
    BirthDateChangeDecided, BirthDateChangeRequested, EmailChangePending, EmailChangeUndone, EmailChanged,
    ExamResultAnnounced, GuardianConsentReceipt, GuardianConsentRequested, GuardianConsentWithdrawn,
    GuardianConsentWithdrawnReceipt, GuardianLinkReceipt, GuardianMailboxRefused, GuardianUnlinked,
    PasskeyRemoved, PasswordChanged, PasswordResetRequested, SignUpStarted, WeeklyReportChild,
    WeeklyReportDue, WeeklyReportFact,
};
use time::Duration;
use uuid::Uuid;

use crate::world::{ACCOUNT, NOW, World, timestamp};

const ID: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4a01);

/// Formats an email and returns its text and HTML parts.
pub(crate) async fn parts(email: impl Into<Email>) -> (String, String) {
    let world = World::new().await;
    let formatter = EmailFormatter::new(&world.config("smtp://127.0.0.1:1").emails);
    let email = email.into();
    let message = formatter.format_message(&email, ID, NOW).unwrap().unwrap();
    assert_eq!(formatter.format_message(&email, ID, NOW).unwrap().unwrap(), message, "always the same bytes");
    texts(&String::from_utf8(message).unwrap())
}

/// Decodes the text and HTML parts of a message.
pub(crate) fn texts(message: &str) -> (String, String) {
    let mut parts = message.split("Content-Type: text/").skip(1).map(decode);
    (parts.next().unwrap(), parts.next().unwrap())
}

/// Decodes the body of a part.
fn decode(part: &str) -> String {
    let (head, body) = part.split_once("\r\n\r\n").unwrap();
    let body = body.split("\r\n--konomana").next().unwrap();
    let bytes = if head.contains("base64") { base64(body) } else { quoted_printable(body) };
    String::from_utf8(bytes).unwrap()
}

pub(crate) fn base64(body: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for value in body.bytes().filter_map(|byte| alphabet.iter().position(|known| *known == byte)) {
        bits = bits << 6 | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    bytes
}

fn quoted_printable(body: &str) -> Vec<u8> {
    let joined = body.replace("=\r\n", "");
    let mut parts = joined.split('=');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

#[tokio::test]
async fn a_sign_up_has_its_code_link_expiry_and_reason() {
    let (text, html) = parts(SignUpStarted {
        to: "hanako@demo.example".to_owned(),
        code: "493817".to_owned(),
        token: "T0ken".to_owned(),
        expires_at: Some(timestamp(NOW + Duration::DAY)),
    })
    .await;
    let link = "https://www.konomana.test/signup/verify#token=T0ken";
    for part in [&text, &html] {
        for said in ["493817", link, "2026年11月22日(日) 18:00", "お送りしています", "お心当たりがない場合"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    assert_eq!(html.matches(&format!("href=\"{link}\"")).count(), 2, "as a button and as text");
}

#[tokio::test]
async fn a_mail_loads_nothing_and_fits_a_phone() {
    let (_, html) = parts(EmailChanged {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        new_email: "n***@demo.example".to_owned(),
        token: "T0ken".to_owned(),
        expires_at: None,
    })
    .await;
    for fetched in ["<img", "<script", "<link", "src=", "url(", "@import"] {
        assert!(!html.contains(fetched), "{fetched}: {html}");
    }
    assert!(html.contains("width=device-width") && html.contains("lang=\"ja\""));
    assert!(html.contains("山田 花子 さん") && html.contains("n***@demo.example"));
}

#[test]
fn mails_use_only_styles_that_mail_programs_support() {
    const KNOWN: [&str; 21] = [
        "background",
        "border",
        "border-radius",
        "border-top",
        "color",
        "display",
        "font-family",
        "font-size",
        "font-weight",
        "letter-spacing",
        "line-height",
        "margin",
        "max-width",
        "min-height",
        "overflow-wrap",
        "padding",
        "text-align",
        "text-decoration",
        "vertical-align",
        "white-space",
        "word-break",
    ];
    let html = include_str!("../../templates/email.html");
    let styles = html.split("style=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let names = styles.flat_map(|(style, _)| style.split(';')).filter_map(|rule| rule.split_once(':'));
    let unknown: Vec<_> = names.map(|(name, _)| name.trim()).filter(|name| !KNOWN.contains(name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn a_mail_has_the_colours_of_the_site() {
    let tokens = include_str!("../../../../web/libs/ui/base/src/theme/tokens.css");
    let html = include_str!("../../templates/email.html");
    let colours = html.split('#').skip(1).filter_map(|rest| rest.split([';', '"']).next());
    let foreign: Vec<_> = colours.filter(|colour| !tokens.contains(&format!("#{colour};"))).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[tokio::test]
async fn names_are_escaped() {
    let (text, html) = parts(GuardianConsentRequested {
        to: "parent@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "<b>山田</b>".to_owned(),
        learner_name: "\"><a href=//x>".to_owned(),
        token: "T0ken".to_owned(),
        expires_at: None,
    })
    .await;
    assert!(!html.contains("<b>") && !html.contains("<a href=//"), "{html}");
    assert!(text.contains("<b>山田</b> 様"));
}

#[tokio::test]
async fn the_password_reset_link_has_the_specified_form() {
    let (text, _) = parts(PasswordResetRequested {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        uid: "uid".to_owned(),
        token: "T0ken".to_owned(),
        ..PasswordResetRequested::default()
    })
    .await;
    assert!(text.contains("https://www.konomana.test/login/password/reset/uid/T0ken"), "{text}");
}

#[tokio::test]
async fn the_mail_to_a_refused_mailbox_has_no_link_and_the_kind_of_a_request() {
    let refused =
        GuardianMailboxRefused { to: "ren@demo.example".to_owned(), account_id: ACCOUNT.to_owned() };
    let requested = GuardianConsentRequested {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        ..GuardianConsentRequested::default()
    };
    let (refusal, request) = (Email::from(refused.clone()), Email::from(requested));
    // The fields that a learner sees in the data export.
    assert_eq!((refusal.kind, refusal.account), (request.kind, request.account));
    let (text, html) = parts(refused).await;
    assert!(text.contains("18歳未満の方のアカウントで使われている"), "{text}");
    for part in [&text, &html] {
        assert!(!part.contains("#token=") && !part.contains("/confirm/"), "{part}");
    }
}

#[tokio::test]
async fn the_consent_receipt_says_what_was_agreed_and_how_to_withdraw() {
    let (text, _) = parts(GuardianConsentReceipt {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "山田 恵子".to_owned(),
        learner_name: "山田 花子".to_owned(),
        token: "T0ken".to_owned(),
    })
    .await;
    for said in
        ["山田 恵子 様", "山田 花子 さん", "購入", "https://www.konomana.test/confirm/withdraw#token=T0ken"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let (text, _) = parts(GuardianConsentWithdrawnReceipt {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "山田 恵子".to_owned(),
        learner_name: "山田 花子".to_owned(),
    })
    .await;
    assert!(text.contains("山田 恵子 様") && text.contains("山田 花子 さん"), "{text}");
    let (text, _) = parts(GuardianConsentWithdrawn {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
    })
    .await;
    assert!(text.contains("山田 花子 さん") && text.contains("/mypage/settings/base"), "{text}");
}

/// What every mail about consent says.
const TERMS: [&str; 6] = [
    "株式会社コノマナ",
    "購入できるもの",
    "https://www.konomana.test/course",
    "https://www.konomana.test/eula",
    "https://www.konomana.test/commerce",
    "取り消せます",
];

#[tokio::test]
async fn the_consent_request_states_parties_purpose_and_terms() {
    let request = GuardianConsentRequested { to: "keiko@demo.example".to_owned(), ..Default::default() };
    let receipt = GuardianConsentReceipt { to: "keiko@demo.example".to_owned(), ..Default::default() };
    for (text, html) in [parts(request).await, parts(receipt).await] {
        for said in TERMS {
            assert!(text.contains(said) && html.contains(said), "{said}: {text}");
        }
    }
}

#[tokio::test]
async fn the_receipt_of_a_link_says_whether_it_counts_as_consent() {
    let receipt = |is_consent| GuardianLinkReceipt {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "山田 恵子".to_owned(),
        learner_name: "山田 花子".to_owned(),
        learner_id: "018f".to_owned(),
        is_consent,
    };
    let (text, _) = parts(receipt(true)).await;
    for said in
        TERMS.into_iter().chain(["同意したことになります", "https://www.konomana.test/mypage/child/018f"])
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let (text, _) = parts(receipt(false)).await;
    assert!(text.contains("山田 花子 さんとつながりました") && !text.contains("同意"), "{text}");
}

#[tokio::test]
async fn a_final_result_leads_learners_and_guardians_to_their_own_pages() {
    let event = |child: Option<&str>| ExamResultAnnounced {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        exam_id: 3,
        exam_name: "第2回 コノ模試".to_owned(),
        child_id: child.unwrap_or_default().to_owned(),
        child_name: child.map(|_| "山田 太郎").unwrap_or_default().to_owned(),
        birth_date: None,
    };
    let (text, html) = parts(event(None)).await;
    let link = "https://www.konomana.test/mypage/mockexam/3/result";
    for part in [&text, &html] {
        for said in ["山田 花子 さん", "第2回 コノ模試", "成績が確定しました", link, "お心当たりがない場合"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    let (text, html) = parts(event(Some("018f"))).await;
    let link = "https://www.konomana.test/mypage/child/018f/mockexam/3/result";
    for part in [&text, &html] {
        for said in ["山田 花子 様", "山田 太郎 さんが受験した", "第2回 コノ模試", link]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

fn weekly_child(id: &str, name: &str, note: &str) -> WeeklyReportChild {
    let fact = |name: &str, value: &str| WeeklyReportFact { name: name.to_owned(), value: value.to_owned() };
    let facts =
        if note.is_empty() { vec![fact("見た時間", "合計95分（3日）")] } else { Vec::new() };
    WeeklyReportChild {
        id: id.to_owned(),
        name: name.to_owned(),
        note: note.to_owned(),
        facts,
        next: vec![fact("復習", "週の終わりまでに12問")],
    }
}

#[tokio::test]
async fn a_weekly_report_has_the_figures_of_each_child_and_leads_to_the_pages() {
    let report = |children| WeeklyReportDue {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 恵子".to_owned(),
        week: "2026-12-28".to_owned(),
        children,
    };
    let one = weekly_child("018f", "山田 花子", "");
    let (text, html) = parts(report(vec![one.clone()])).await;
    for part in [&text, &html] {
        for said in [
            "山田 恵子 様",
            "12月28日〜1月3日",
            "山田 花子 さん",
            "見た時間：合計95分（3日）",
            "次の週の予定",
            "復習：週の終わりまでに12問",
            "https://www.konomana.test/mypage/child/018f",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    let quiet = weekly_child("018a", "山田 太郎", "学習の記録がありませんでした。");
    let (text, html) = parts(report(vec![one, quiet])).await;
    for part in [&text, &html] {
        for said in [
            "山田 花子 さん",
            "山田 太郎 さん",
            "学習の記録がありませんでした。",
            "https://www.konomana.test/mypage",
        ] {
            assert!(part.contains(said), "{said}: {part}");
        }
        assert!(!part.contains("/mypage/child/"), "{part}");
    }
}

#[tokio::test]
async fn a_birth_date_is_in_no_mail() {
    let (text, html) = parts(BirthDateChangeRequested {
        to: "keiko@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        guardian_name: "山田 恵子".to_owned(),
        learner_name: "山田 花子".to_owned(),
        token: "T0ken".to_owned(),
        expires_at: Some(timestamp(NOW + Duration::days(2))),
    })
    .await;
    for part in [&text, &html] {
        for said in ["https://www.konomana.test/confirm/birth-date#token=T0ken", "2026年11月23日(月) 18:00"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
    for (is_approved, said) in [(true, "生年月日を変更しました"), (false, "承認されませんでした")]
    {
        let (text, _) = parts(BirthDateChangeDecided {
            to: "hanako@demo.example".to_owned(),
            account_id: ACCOUNT.to_owned(),
            name: "山田 花子".to_owned(),
            is_approved,
        })
        .await;
        assert!(text.contains(said), "{text}");
    }
}

#[tokio::test]
async fn the_current_address_is_told_of_a_requested_change_and_how_to_stop_it() {
    let (text, html) = parts(EmailChangePending {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        new_email: "n***@demo.example".to_owned(),
        token: "T0ken".to_owned(),
        expires_at: Some(timestamp(NOW + Duration::DAY)),
    })
    .await;
    let link = "https://www.konomana.test/confirm/stop#token=T0ken";
    for part in [&text, &html] {
        for said in ["n***@demo.example", link, "2026年11月22日(日) 18:00", "パスワードを変更する"]
        {
            assert!(part.contains(said), "{said}: {part}");
        }
    }
}

#[tokio::test]
async fn the_mail_about_a_new_password_lists_passkeys() {
    let changed = |active_passkeys: u32, suspended_passkeys: u32| PasswordChanged {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        active_passkeys,
        suspended_passkeys,
    };
    let (suspended, kept) =
        ("パスキー（2個）は、ご本人が確かめるまで使えません", "パスキー（1個）は、これまでどおり使えます");
    for (event, says_suspended, says_kept) in
        [(changed(0, 2), true, false), (changed(1, 0), false, true), (changed(0, 0), false, false)]
    {
        let (text, html) = parts(event).await;
        for part in [&text, &html] {
            assert_eq!(
                (part.contains(suspended), part.contains(kept)),
                (says_suspended, says_kept),
                "{part}"
            );
        }
    }
    let undone = EmailChangeUndone {
        to: "hanako@demo.example".to_owned(),
        suspended_passkeys: 2,
        ..Default::default()
    };
    assert!(parts(undone).await.0.contains(suspended));
}

#[tokio::test]
async fn the_explanation_for_an_unexpected_change_is_above_the_button() {
    let changed = PasswordChanged { to: "hanako@demo.example".to_owned(), ..PasswordChanged::default() };
    let (text, html) = parts(changed).await;
    for part in [&text, &html] {
        let at = |said: &str| part.find(said).unwrap_or_else(|| panic!("{said}: {part}"));
        assert!(at("お心当たりがないとき") < at("パスワードを再設定する"), "{part}");
        assert!(at("パスワードを再設定する") < at("お心当たりがある場合"), "{part}");
    }
}

#[tokio::test]
async fn both_sides_of_an_ended_link_and_the_owner_of_a_removed_passkey_get_a_mail() {
    let ended = |name: &str, other_name: &str, to_guardian: bool| GuardianUnlinked {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: name.to_owned(),
        other_name: other_name.to_owned(),
        to_guardian,
    };
    let (text, _) = parts(ended("山田 恵子", "山田 花子", true)).await;
    assert!(text.contains("山田 恵子 様") && text.contains("山田 花子 さんとのつながり"), "{text}");
    let (text, _) = parts(ended("山田 花子", "山田 恵子", false)).await;
    assert!(text.contains("山田 花子 さん") && text.contains("山田 恵子 様とのつながり"), "{text}");
    let removed = PasskeyRemoved {
        to: "hanako@demo.example".to_owned(),
        account_id: ACCOUNT.to_owned(),
        name: "山田 花子".to_owned(),
        passkey_name: "スマホ".to_owned(),
    };
    assert!(parts(removed).await.0.contains("パスキー「スマホ」が削除されました"));
}

#[test]
fn the_examples_are_files_with_an_index() {
    let folder = std::env::temp_dir().join(format!("mails-{}", Uuid::now_v7()));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_desk"))
        .arg("mails")
        .arg(&folder)
        .args(["--public-origin", "https://www.konomana.test"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let index = std::path::PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    assert_eq!(index, folder.join("index.html"));
    let index = std::fs::read_to_string(index).unwrap();
    let links: Vec<_> = index.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for link in &links {
        let text = std::fs::read_to_string(folder.join(link)).unwrap();
        assert!(text.contains("お送りしています") || link.starts_with("contact."), "{link}: {text}");
    }
    // Each has two files, and each file is linked.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), links.len() + 1);
    let result = std::fs::read_to_string(folder.join("exam_result_announced.html")).unwrap();
    assert!(result.contains("https://www.konomana.test/confirm/unsubscribe#token=T0ken"), "{result}");
    std::fs::remove_dir_all(folder).unwrap();
}
