//! Dates of entrance exams.

use kit_content::Difference;
use kit_db::span;
use serde::Serialize;
use sqlx::PgConnection;
use time::{Date, Month};
use tracing::Instrument as _;

/// Regions of an exam: all Japan, then the prefectures from north to south.
#[rustfmt::skip]
pub(crate) const REGIONS: [&str; 48] = [
    "全国", "北海道", "青森県", "岩手県", "宮城県", "秋田県", "山形県", "福島県", "茨城県", "栃木県", "群馬県", "埼玉県",
    "千葉県", "東京都", "神奈川県", "新潟県", "富山県", "石川県", "福井県", "山梨県", "長野県", "岐阜県", "静岡県", "愛知県",
    "三重県", "滋賀県", "京都府", "大阪府", "兵庫県", "奈良県", "和歌山県", "鳥取県", "島根県", "岡山県", "広島県", "山口県",
    "徳島県", "香川県", "愛媛県", "高知県", "福岡県", "佐賀県", "長崎県", "熊本県", "大分県", "宮崎県", "鹿児島県", "沖縄県",
];
pub(crate) const KINDS: [&str; 3] = ["公立高校", "私立高校", "大学"];

#[derive(PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "the wire uses these names")]
pub(crate) struct Exam {
    pub(crate) id: i64,
    pub(crate) prefecture: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) apply_from: Date,
    pub(crate) apply_until: Date,
    pub(crate) exam_on: Date,
    pub(crate) result_on: Date,
    pub(crate) subjects: Vec<String>,
    pub(crate) note: String,
}

/// The first day of the current school year.
fn start_of_school_year(today: Date) -> Date {
    let begins = |year| Date::from_calendar_date(year, Month::April, 1).unwrap_or(Date::MIN);
    let this = begins(today.year());
    if today < this { begins(today.year() - 1) } else { this }
}

/// Lists the exams of this school year and later, by day, then from north to south. A filter by prefecture includes
/// nationwide exams.
pub(crate) async fn list_exams(
    database: &mut PgConnection,
    prefecture: Option<&str>,
    today: Date,
) -> sqlx::Result<Vec<Exam>> {
    sqlx::query_as!(
        Exam,
        "SELECT id, prefecture, kind, name, apply_from, apply_until, exam_on, result_on, subjects, note FROM entry_exam \
         WHERE exam_on >= $1 AND ($2::text IS NULL OR prefecture = $2 OR region = 0) \
         ORDER BY exam_on, region, id",
        start_of_school_year(today),
        prefecture
    )
    .fetch_all(database)
    .instrument(span("SELECT entry_exam"))
    .await
}

/// Replaces the stored exams by `wanted`.
pub(crate) async fn import_exams(
    database: &mut PgConnection,
    wanted: &[Exam],
    difference: &mut Difference,
) -> sqlx::Result<()> {
    let before = sqlx::query_as!(
        Exam,
        "SELECT id, prefecture, kind, name, apply_from, apply_until, exam_on, result_on, subjects, note FROM entry_exam \
         ORDER BY id"
    )
    .fetch_all(&mut *database)
    .instrument(span("SELECT entry_exam"))
    .await?;
    let title = |exam: &Exam| format!("{} {}", exam.prefecture, exam.name);
    for exam in wanted {
        let old = before.iter().find(|old| old.id == exam.id);
        if difference.note("exam", exam.id, &title(exam), old, exam) {
            write_exam(database, exam).await?;
        }
    }
    for old in &before {
        if !wanted.iter().any(|exam| exam.id == old.id) {
            difference.gone("exam", old.id, &title(old));
            sqlx::query!("DELETE FROM entry_exam WHERE id = $1", old.id)
                .execute(&mut *database)
                .instrument(span("DELETE entry_exam"))
                .await?;
        }
    }
    Ok(())
}

async fn write_exam(database: &mut PgConnection, exam: &Exam) -> sqlx::Result<()> {
    let region = REGIONS.iter().zip(0_i16..).find(|(name, _)| **name == exam.prefecture);
    sqlx::query!(
        "INSERT INTO entry_exam (id, prefecture, region, kind, name, apply_from, apply_until, exam_on, result_on, subjects, \
             note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT ON CONSTRAINT entry_exam_pkey DO UPDATE SET prefecture = $2, region = $3, kind = $4, name = $5, \
             apply_from = $6, apply_until = $7, exam_on = $8, result_on = $9, subjects = $10, note = $11",
        exam.id,
        exam.prefecture,
        region.map_or(0, |(_, region)| region),
        exam.kind,
        exam.name,
        exam.apply_from,
        exam.apply_until,
        exam.exam_on,
        exam.result_on,
        &exam.subjects,
        exam.note
    )
    .execute(database)
    .instrument(span("INSERT entry_exam"))
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::start_of_school_year;

    #[test]
    fn a_school_year_begins_in_april() {
        assert_eq!(start_of_school_year(date!(2027 - 03 - 31)), date!(2026 - 04 - 01));
        assert_eq!(start_of_school_year(date!(2027 - 04 - 01)), date!(2027 - 04 - 01));
    }
}
