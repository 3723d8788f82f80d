//! The weekly report to a guardian.

use kit_content::date_time::parse_date;
use time::{Date, Duration};

use super::account::Recipient;
use super::{Document, Email, Section};
use crate::notification_topic::Topic;

const CONTACT: &str = "お心当たりがない場合は、お手数ですが「お問い合わせ」からご連絡ください。";

/// The week of a learner in words.
pub(crate) struct ChildReport {
    /// The account, for addresses.
    pub(crate) id: String,
    pub(crate) name: String,
    /// Text for a week without activity. Empty if there are facts.
    pub(crate) note: String,
    /// Names and values.
    pub(crate) facts: Vec<(String, String)>,
    /// Of the week after.
    pub(crate) next: Vec<(String, String)>,
}

/// Writes the report about all linked learners. `week` is a Monday, e.g. `2026-11-16`.
pub(crate) fn write_weekly_report(recipient: Recipient, week: &str, children: Vec<ChildReport>) -> Email {
    let range = format_week(week);
    let mut email =
        Email::for_guardian("weekly_report", recipient, &format!("コノマナ 週間レポート（{range}）"))
            .line(format!(
                "{range}の、お子さまの学習をお知らせします。お子さまも、これと同じ内容を見られます。"
            ))
            .line("グラフのあるPDFは、お子さまのページの「週間レポート」から開けます。")
            .button("お子さまのページを開く", find_path(&children))
            .why(
                "このメールは、お子さまとつながっている保護者の方に、毎週月曜日にお送りしています。",
                CONTACT,
            )
            .topic(Topic::WeeklyReport)
            .occurrence(week.to_owned());
    email.documents = children.into_iter().map(write_child).collect();
    email
}

/// The page of the only child, or the page with all children.
fn find_path(children: &[ChildReport]) -> String {
    match children {
        [child] => format!("/mypage/child/{}", child.id),
        _ => "/mypage".to_owned(),
    }
}

fn write_child(child: ChildReport) -> Document {
    let ChildReport { name, note, facts, next, .. } = child;
    let notes = (!note.is_empty()).then_some(note);
    let week: Vec<String> = notes.into_iter().chain(facts.into_iter().map(write_fact)).collect();
    let next: Vec<String> = next.into_iter().map(write_fact).collect();
    let section = |title: &str, lines: &[String]| Section { title: title.to_owned(), text: lines.join("\n") };
    Document {
        title: format!("{name} さん").into(),
        sections: vec![section("この週の学習", &week), section("次の週の予定", &next)],
    }
}

fn write_fact((name, value): (String, String)) -> String {
    format!("{name}：{value}")
}

/// E.g. `11月16日〜11月22日`. Another text stays as it is.
fn format_week(week: &str) -> String {
    let format = |day: Date| format!("{}月{}日", u8::from(day.month()), day.day());
    parse_date(week).map_or_else(
        |_| week.to_owned(),
        |monday| format!("{}〜{}", format(monday), format(monday.saturating_add(Duration::days(6)))),
    )
}

#[cfg(test)]
mod tests {
    use super::format_week;

    #[test]
    fn a_week_is_named_by_its_first_and_last_day() {
        assert_eq!(format_week("2026-12-28"), "12月28日〜1月3日");
    }
}
