//! The result of an exam as a PDF report for school.

use kit_pdf::{Bar, Fact, Report, Section, Table};
use time::OffsetDateTime;
use time::macros::offset;

use super::paper::{FinalPaperResult, QuestionResult};
use super::{ExamResult, PaperResultState};
use crate::application::Application;
use crate::judgement::{Chance, Grade, Judgement, NextGrade};
use crate::statistics::{Bucket, Standing, Tenths};

/// Shown in place of a missing figure.
const NONE: &str = "―";

/// Number of questions in a row.
const QUESTIONS_IN_ROW: usize = 12;
/// Number of ranges of points in the distribution.
const RANGES: i32 = 10;

/// Makes the report of a learner's result. `papers` are those of a final result. Equal results make equal reports, because it has no date
/// of creation.
pub(crate) fn make_report(
    application: &Application,
    result: &ExamResult,
    judgements: &[(i32, Judgement)],
    papers: &[FinalPaperResult],
) -> Report {
    let exam = &application.exam;
    let mut facts = Vec::new();
    facts.extend(application.candidate_number.map(|number| Fact::new("受験番号", number.to_string())));
    if let Some(info) = &application.basic_info {
        facts.push(Fact::new("氏名", format!("{} {}", info.last_name, info.first_name)));
        facts.push(Fact::new("学校・学年", format!("{}　{}", info.school_name, info.school_year)));
    }
    facts.push(Fact::new("模試の終了", format_time(exam.ends_at)));
    facts.extend(result.computed_at.map(|time| Fact::new("集計", format_time(time))));
    Report {
        title: "模試の成績表".to_owned(),
        subtitle: exam.name.clone(),
        mark: if result.is_final { "確定" } else { "暫定" }.to_owned(),
        number: format!("コノマナ　{}", exam.name),
        facts,
        sections: [papers_section(result)]
            .into_iter()
            .chain(result.total.as_ref().map(distribution_section))
            .chain([judgements_section(judgements)])
            .chain((!papers.is_empty()).then(|| questions_section(papers)))
            .collect(),
    }
}

/// The number of candidates by their total points.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "shares of a bar")]
fn distribution_section(total: &Standing) -> Section {
    let width = total.full_points.div_euclid(RANGES).max(1);
    let buckets = total.distribution.buckets(width);
    let most = buckets.iter().map(|bucket| bucket.count).max().unwrap_or(0).max(1);
    let bars = buckets.iter().map(|bucket| {
        let is_own = (bucket.from..=bucket.to).contains(&total.points);
        Bar {
            name: format_range(bucket),
            share: (bucket.count as f64 / most as f64) as f32,
            line: None,
            value: format!("{}{}人", if is_own { "あなた　" } else { "" }, bucket.count),
        }
    });
    Section {
        title: "得点の分布".to_owned(),
        bars: bars.collect(),
        legend: "合計の得点ごとの人数です。全教科を受けた人を数えています。".to_owned(),
        ..Section::default()
    }
}

/// Formats a range of points, e.g. `25〜29点`.
fn format_range(bucket: &Bucket) -> String {
    if bucket.from == bucket.to {
        return format!("{}点", bucket.to);
    }
    format!("{}〜{}点", bucket.from, bucket.to)
}

/// Which questions were answered right.
fn questions_section(papers: &[FinalPaperResult]) -> Section {
    let rows = papers.iter().flat_map(|paper| {
        let rows = paper.questions.chunks(QUESTIONS_IN_ROW).enumerate();
        rows.map(|(row, questions)| {
            let subject = if row == 0 { paper.subject.clone() } else { String::new() };
            vec![subject, questions.iter().map(format_question).collect::<Vec<_>>().join("　")]
        })
    });
    Section {
        title: "問題ごとの正誤".to_owned(),
        notes: vec!["○は正解、×は不正解、－は無回答です。記述問題は得点をのせています。".to_owned()],
        table: Table {
            columns: make_columns([("教科", 0.14), ("問題の番号と正誤", 0.86)]),
            rows: rows.collect(),
        },
        ..Section::default()
    }
}

/// Formats the outcome of a question, e.g. `12○`.
fn format_question(result: &QuestionResult) -> String {
    let number = result.question.number;
    match &result.written_mark {
        _ if result.given.is_none() => format!("{number}－"),
        Some(mark) => format!("{number} {}点", mark.points),
        None if result.is_right => format!("{number}○"),
        None => format!("{number}×"),
    }
}

fn papers_section(result: &ExamResult) -> Section {
    let absent = if result.is_final { "未受験" } else { "未提出" };
    let standings = result.papers.iter().map(|paper| match &paper.state {
        PaperResultState::Marked(standing) => Ok((paper.subject.as_str(), standing)),
        PaperResultState::Marking | PaperResultState::PartlyMarked(_) => {
            Err((paper.subject.as_str(), "採点中"))
        }
        PaperResultState::Absent => Err((paper.subject.as_str(), absent)),
    });
    let standings: Vec<_> = standings.collect();
    let total = result.total.as_ref().map_or(Err(("合計", NONE)), |total| Ok(("合計", total)));
    let rows = standings.iter().copied().chain([total]).map(|row| match row {
        Ok((name, standing)) => standing_cells(name, standing),
        Err((name, why)) => vec![name.to_owned(), why.to_owned()],
    });
    let marked = || standings.iter().copied().flatten();
    Section {
        title: "得点と偏差値".to_owned(),
        notes: list_notes(result, is_reference(result)),
        table: Table {
            columns: make_columns([
                ("教科", 0.2),
                ("得点", 0.2),
                ("平均点", 0.15),
                ("偏差値", 0.15),
                ("順位", 0.3),
            ]),
            rows: rows.collect(),
        },
        bars: marked().map(|(subject, standing)| make_bar(subject, standing)).collect(),
        legend: "青い棒は得点、たての線は平均点です。右のはしが満点です。".to_owned(),
    }
}

/// Whether the compared figures are only a reference: those of the total, or without a total those of a paper.
fn is_reference(result: &ExamResult) -> bool {
    let total = result.total.as_ref().map(|total| total.distribution.is_reference());
    total.unwrap_or_else(|| {
        result.papers.iter().any(|paper| match &paper.state {
            PaperResultState::Marked(standing) => standing.distribution.is_reference(),
            PaperResultState::Absent | PaperResultState::Marking | PaperResultState::PartlyMarked(_) => false,
        })
    })
}

fn list_notes(result: &ExamResult, is_reference: bool) -> Vec<String> {
    let provisional = (!result.is_final).then_some(
        "この結果は暫定です。集計までに提出した人とくらべています。模試が終わったあとに確定します。",
    );
    let reference = is_reference.then_some("受けた人が30人より少ないため、偏差値と順位は参考値です。");
    provisional.into_iter().chain(reference).map(str::to_owned).collect()
}

fn standing_cells(name: &str, standing: &Standing) -> Vec<String> {
    vec![
        name.to_owned(),
        format!("{} / {}点", standing.points, standing.full_points),
        format!("{}点", format_tenths(standing.average)),
        standing.deviation_score().map_or_else(|| NONE.to_owned(), format_tenths),
        format!("{}位 / {}人", standing.rank(), standing.distribution.candidates()),
    ]
}

#[expect(clippy::cast_possible_truncation, reason = "shares of a bar")]
fn make_bar(subject: &str, standing: &Standing) -> Bar {
    let share = |points: f64| (points / f64::from(standing.full_points)) as f32;
    Bar {
        name: subject.to_owned(),
        share: share(f64::from(standing.points)),
        line: Some(share(f64::from(standing.average))),
        value: format!("{}点（平均 {}点）", standing.points, format_tenths(standing.average)),
    }
}

fn judgements_section(judgements: &[(i32, Judgement)]) -> Section {
    let rows = judgements.iter().map(|(rank, Judgement { department, chance })| {
        let (grade, percent) = match chance {
            Some(chance) => (name_grade(chance.grade), format!("{}%", chance.percent)),
            None => ("判定不可", NONE.to_owned()),
        };
        vec![
            format!("第{rank}志望"),
            format!("{} {}", department.school_name, department.name),
            format_tenths(department.border),
            grade.to_owned(),
            percent,
            chance.as_ref().map_or_else(|| NONE.to_owned(), format_next),
        ]
    });
    Section {
        title: "志望校の合格判定".to_owned(),
        notes: vec!["合格可能性は目安です。判定は合計の偏差値で出し、内申点はふくめていません。".to_owned()],
        table: Table {
            columns: make_columns([
                ("志望", 0.11),
                ("学校・学科", 0.28),
                ("50%の偏差値", 0.15),
                ("判定", 0.13),
                ("合格可能性", 0.13),
                ("次の判定まで", 0.2),
            ]),
            rows: rows.collect(),
        },
        ..Section::default()
    }
}

/// The gap to the next better grade.
fn format_next(chance: &Chance) -> String {
    match &chance.next {
        Some(NextGrade { grade, score, missing_points, .. }) => {
            format!("{}まで{missing_points}点（{}）", name_grade(*grade), format_tenths(*score))
        }
        None => NONE.to_owned(),
    }
}

fn make_columns<const COUNT: usize>(columns: [(&str, f32); COUNT]) -> Vec<(String, f32)> {
    columns.into_iter().map(|(head, share)| (head.to_owned(), share)).collect()
}

fn name_grade(grade: Grade) -> &'static str {
    match grade {
        Grade::A => "A",
        Grade::B => "B",
        Grade::C => "C",
        Grade::D => "D",
        Grade::E => "E",
    }
}

/// Formats a figure with one decimal, e.g. `58.3`.
fn format_tenths(figure: Tenths) -> String {
    format!("{:.1}", f64::from(figure))
}

/// Formats a time in Japan, e.g. `2026年11月21日 18:00`.
fn format_time(time: OffsetDateTime) -> String {
    let time = time.to_offset(offset!(+9));
    let (hour, minute) = (time.hour(), time.minute());
    format!("{}年{}月{}日 {hour}:{minute:02}", time.year(), u8::from(time.month()), time.day())
}
