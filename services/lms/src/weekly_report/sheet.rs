//! The weekly report in words, for the PDF and the mail.

use kit_pdf::{Bar, Fact, Report, Section, Table};
use time::macros::offset;
use time::{Date, OffsetDateTime, Weekday};

use super::{Week, WeeklyFigures};

/// Shown for a week without any activity. Guardian and learner read it.
const QUIET: &str = "この週は、学習の記録がありませんでした。ゆっくり休む週もあります。次の週は、短いレッスン1本から始めてみてください。";
/// Shown in the PDF and in the mail.
const EXAMS_NOT_LOADED: &str = "このレポートを作ったときに、読みこめませんでした";
/// Names of the days of a week, Monday first.
const WEEKDAYS: [&str; 7] = ["月", "火", "水", "木", "金", "土", "日"];

/// The mock exams of a week, as exam has them.
#[derive(Default)]
pub(crate) struct WeeklyExams {
    /// Results that became final in the week.
    pub(crate) results: Vec<ExamOutcome>,
    /// Exams that start in the week after: names and starts.
    pub(crate) next: Vec<(String, OffsetDateTime)>,
}

/// A final result.
pub(crate) struct ExamOutcome {
    pub(crate) exam_name: String,
    /// `None` unless every paper was sat.
    pub(crate) total: Option<ExamTotal>,
}

/// The total of a result.
pub(crate) struct ExamTotal {
    pub(crate) points: i32,
    pub(crate) full_points: i32,
    pub(crate) deviation_score_tenths: Option<i32>,
}

/// The report in words.
pub(crate) struct Summary {
    /// Text for a week without activity. Otherwise empty.
    pub(crate) note: String,
    /// The week.
    pub(crate) facts: Vec<Fact>,
    /// The week after.
    pub(crate) next: Vec<Fact>,
}

/// Writes the report in words. `exams` is `None` if they cannot be loaded now.
fn write_summary(figures: &WeeklyFigures, exams: Option<&WeeklyExams>) -> Summary {
    let is_quiet = is_quiet(figures, exams);
    let mut facts = Vec::new();
    if !is_quiet {
        let watched = figures.days.iter().filter(|day| day.seconds > 0).count();
        let seconds = figures.days.iter().map(|day| day.seconds).sum();
        facts.push(Fact::new("見た時間", format!("合計{}分（{watched}日）", to_minutes(seconds))));
        facts.push(Fact::new("終えたレッスン", format!("{}本", figures.check_count)));
        facts.push(Fact::new("答えた問題", format_answers(figures)));
    }
    let attendance = &figures.attendance;
    if !attendance.is_empty() {
        let words =
            format!("出席{}回、録画{}回、欠席{}回", attendance.joined, attendance.watched, attendance.absent);
        facts.push(Fact::new("クラスの授業", words));
    }
    let homework = &figures.homework;
    if homework.due > 0 {
        facts.push(Fact::new("宿題", format!("{}件のうち{}件を終えました", homework.due, homework.done)));
    }
    match exams {
        Some(exams) => {
            facts.extend(exams.results.iter().map(|result| Fact::new("模試の結果", format_outcome(result))));
        }
        None => facts.push(Fact::new("模試の結果", EXAMS_NOT_LOADED)),
    }
    let note = if is_quiet { QUIET.to_owned() } else { String::new() };
    Summary { note, facts, next: list_next(figures, exams) }
}

/// Writes the report in words for the mail. The days are a fact, because there is no chart.
pub(crate) fn write_mail_summary(figures: &WeeklyFigures, exams: Option<&WeeklyExams>) -> Summary {
    let mut summary = write_summary(figures, exams);
    if summary.note.is_empty() {
        // After the total.
        summary.facts.insert(1, write_days(figures));
    }
    summary
}

/// Whether there is nothing to show. Unknown exams are no activity.
fn is_quiet(figures: &WeeklyFigures, exams: Option<&WeeklyExams>) -> bool {
    figures.is_quiet() && exams.is_none_or(|exams| exams.results.is_empty())
}

/// The watch time of each day, e.g. `月 30分、火 0分`.
fn write_days(figures: &WeeklyFigures) -> Fact {
    let days = figures.days.iter();
    let days = days.map(|day| format!("{} {}分", name_weekday(day.day.weekday()), to_minutes(day.seconds)));
    Fact::new("曜日ごと", days.collect::<Vec<_>>().join("、"))
}

fn list_next(figures: &WeeklyFigures, exams: Option<&WeeklyExams>) -> Vec<Fact> {
    let mut next = Vec::new();
    if let Some(count) = figures.due_count.filter(|count| *count > 0) {
        next.push(Fact::new("復習", format!("週の終わりまでに{count}問")));
    }
    next.extend(figures.next_lessons.iter().map(|lesson| {
        Fact::new("クラスの授業", format!("{}　{}", format_time(lesson.starts_at), lesson.class_name))
    }));
    next.extend(figures.next_homework.iter().filter_map(|lesson| {
        let due_at = lesson.homework_due_at?;
        Some(Fact::new("宿題", format!("{}まで　{}", format_last_day(due_at), lesson.class_name)))
    }));
    match exams {
        Some(exams) => {
            next.extend(exams.next.iter().map(|(name, starts_at)| {
                Fact::new("模試", format!("{}から　{name}", format_time(*starts_at)))
            }));
        }
        None => next.push(Fact::new("模試", EXAMS_NOT_LOADED)),
    }
    if next.is_empty() {
        next.push(Fact::new("予定", "決まっている予定はありません"));
    }
    next
}

/// Makes the report of a week. Equal figures make equal reports, because it has no date of creation.
pub(crate) fn make_report(
    learner_name: String,
    week: Week,
    figures: &WeeklyFigures,
    exams: Option<&WeeklyExams>,
) -> Report {
    let Summary { note, facts, next } = write_summary(figures, exams);
    let chart = if note.is_empty() {
        Section {
            title: "見た時間".to_owned(),
            bars: make_bars(figures),
            legend: "レッスンを見た時間です。1日は、朝4時に始まります。".to_owned(),
            ..Section::default()
        }
    } else {
        Section { title: "見た時間".to_owned(), notes: vec![note], ..Section::default() }
    };
    let week_of = |title: &str, facts: Vec<Fact>| Section {
        title: title.to_owned(),
        table: Table {
            columns: vec![("項目".to_owned(), 0.25), ("内容".to_owned(), 0.75)],
            rows: facts.into_iter().map(|fact| vec![fact.name, fact.value]).collect(),
        },
        ..Section::default()
    };
    let has_facts = !facts.is_empty();
    let sunday = week.monday().saturating_add(time::Duration::days(6));
    let range = format!("{}〜{}", format_long_date(week.monday()), format_date(sunday));
    Report {
        title: "週間レポート".to_owned(),
        number: format!("コノマナ　週間レポート　{range}"),
        subtitle: range,
        facts: vec![Fact::new("氏名", learner_name)],
        sections: [chart]
            .into_iter()
            .chain(has_facts.then(|| week_of("この週の学習", facts)))
            .chain([week_of("次の週の予定", next)])
            .collect(),
        ..Report::default()
    }
}

/// One bar a day. The longest day fills the chart.
#[expect(clippy::cast_possible_truncation, reason = "shares of a bar")]
fn make_bars(figures: &WeeklyFigures) -> Vec<Bar> {
    let most = figures.days.iter().map(|day| day.seconds).max().unwrap_or_default().max(1);
    let bars = figures.days.iter().map(|day| Bar {
        name: format_date(day.day),
        share: (f64::from(day.seconds) / f64::from(most)) as f32,
        line: None,
        value: format!("{}分", to_minutes(day.seconds)),
    });
    bars.collect()
}

fn format_answers(figures: &WeeklyFigures) -> String {
    let WeeklyFigures { answer_count, right_count, .. } = figures;
    match (right_count * 100).checked_div(*answer_count) {
        Some(percent) => format!("{answer_count}問（正解は{percent}%）"),
        None => "0問".to_owned(),
    }
}

fn format_outcome(ExamOutcome { exam_name, total }: &ExamOutcome) -> String {
    match total {
        None => format!("{exam_name}　合計の得点はありません"),
        Some(ExamTotal { points, full_points, deviation_score_tenths }) => {
            let deviation =
                deviation_score_tenths.map(|tenths| format!("、偏差値{:.1}", f64::from(tenths) / 10.0));
            format!("{exam_name}　{points} / {full_points}点{}", deviation.unwrap_or_default())
        }
    }
}

/// Whole minutes, as the charts of the site round them.
fn to_minutes(seconds: i32) -> i32 {
    if seconds > 0 { ((seconds + 30) / 60).max(1) } else { 0 }
}

fn name_weekday(day: Weekday) -> &'static str {
    WEEKDAYS[usize::from(day.number_days_from_monday())]
}

/// E.g. `11月16日(月)`.
fn format_date(day: Date) -> String {
    format!("{}月{}日({})", u8::from(day.month()), day.day(), name_weekday(day.weekday()))
}

/// E.g. `2026年11月16日(月)`.
fn format_long_date(day: Date) -> String {
    format!("{}年{}", day.year(), format_date(day))
}

/// The last day before the end of a day in Tokyo, e.g. `11月22日(日)` for the midnight after it.
fn format_last_day(end: OffsetDateTime) -> String {
    format_date((end - time::Duration::SECOND).to_offset(offset!(+9)).date())
}

/// E.g. `11月24日(火) 19:00`.
fn format_time(time: OffsetDateTime) -> String {
    let time = time.to_offset(offset!(+9));
    format!("{} {}:{:02}", format_date(time.date()), time.hour(), time.minute())
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;
    use crate::day::WatchDay;
    use crate::weekly_report::{AttendanceCounts, HomeworkCounts};

    fn figures(seconds: [i32; 7]) -> WeeklyFigures {
        let monday = date!(2026 - 12 - 28);
        let days = (0..).zip(seconds);
        WeeklyFigures {
            days: days
                .map(|(place, seconds)| WatchDay { day: monday + time::Duration::days(place), seconds })
                .collect(),
            check_count: 0,
            answer_count: 0,
            right_count: 0,
            attendance: AttendanceCounts::default(),
            homework: HomeworkCounts::default(),
            next_lessons: Vec::new(),
            next_homework: Vec::new(),
            due_count: Some(0),
        }
    }

    fn words(facts: &[Fact]) -> Vec<String> {
        facts.iter().map(|fact| format!("{} {}", fact.name, fact.value)).collect()
    }

    #[test]
    fn a_summary_lists_the_figures() {
        let figures = WeeklyFigures {
            check_count: 4,
            answer_count: 32,
            right_count: 24,
            attendance: AttendanceCounts { joined: 2, watched: 1, absent: 0 },
            homework: HomeworkCounts { due: 3, done: 2 },
            due_count: Some(12),
            ..figures([1800, 0, 0, 0, 0, 0, 89])
        };
        let total = ExamTotal { points: 412, full_points: 500, deviation_score_tenths: Some(583) };
        let exams = WeeklyExams {
            results: vec![ExamOutcome { exam_name: "第3回".to_owned(), total: Some(total) }],
            next: vec![("第4回".to_owned(), datetime!(2027-01-10 00:00 UTC))],
        };
        let Summary { note, facts, next } = write_summary(&figures, Some(&exams));
        assert_eq!(note, "");
        assert_eq!(
            words(&facts),
            [
                "見た時間 合計31分（2日）",
                "終えたレッスン 4本",
                "答えた問題 32問（正解は75%）",
                "クラスの授業 出席2回、録画1回、欠席0回",
                "宿題 3件のうち2件を終えました",
                "模試の結果 第3回　412 / 500点、偏差値58.3",
            ]
        );
        assert_eq!(words(&next), ["復習 週の終わりまでに12問", "模試 1月10日(日) 9:00から　第4回"]);
        assert_eq!(write_days(&figures).value, "月 30分、火 0分、水 0分、木 0分、金 0分、土 0分、日 1分");
    }

    #[test]
    fn a_negative_deviation_score_keeps_its_sign() {
        for (tenths, written) in [(-5, "-0.5"), (-12, "-1.2"), (0, "0.0"), (548, "54.8")] {
            let total = ExamTotal { points: 0, full_points: 500, deviation_score_tenths: Some(tenths) };
            let outcome = ExamOutcome { exam_name: "第3回".to_owned(), total: Some(total) };
            assert_eq!(format_outcome(&outcome), format!("第3回　0 / 500点、偏差値{written}"));
        }
    }

    #[test]
    fn the_end_of_a_day_is_shown_as_that_day() {
        assert_eq!(format_last_day(datetime!(2026-11-22 15:00 UTC)), "11月22日(日)");
        assert_eq!(format_last_day(datetime!(2026-12-31 15:00 UTC)), "12月31日(木)");
    }

    #[test]
    fn a_week_without_activity_gets_a_sentence_and_no_chart() {
        let figures = figures([0; 7]);
        let exams = WeeklyExams::default();
        let report =
            make_report("葵 太郎".to_owned(), Week { monday: date!(2026 - 12 - 28) }, &figures, Some(&exams));
        assert_eq!(report.subtitle, "2026年12月28日(月)〜1月3日(日)");
        assert_eq!(report.sections[0].notes, [QUIET]);
        assert!(report.sections.iter().all(|section| section.bars.is_empty()));
        assert_eq!(report.sections.len(), 2, "no table about the week");
    }

    #[test]
    fn a_summary_names_exams_that_cannot_be_loaded() {
        let Summary { facts, next, .. } = write_summary(&figures([60, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(
            words(&facts).last().unwrap(),
            "模試の結果 このレポートを作ったときに、読みこめませんでした"
        );
        assert_eq!(words(&next), ["模試 このレポートを作ったときに、読みこめませんでした"]);
    }
}
