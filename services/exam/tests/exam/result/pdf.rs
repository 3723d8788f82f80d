//! The result as a PDF for school.

use kit::error::{Code, ServiceError};
use lopdf::Document;
use proto::exam::GetExamResultPdfRequest;
use sqlx::Executor as _;

use super::into_result;
use crate::hall::{Candidate, Hall, MINUTE, PAPER, reason};

/// Sets the names that the hall leaves empty.
const NAMES: &str = "
    UPDATE application SET last_name = '井上', first_name = '拓海', school_name = '青葉中学校';
    UPDATE school SET name = '青嵐高校';
    UPDATE department SET name = '普通科';
";

impl Candidate<'_> {
    pub(super) async fn pdf(&self) -> Result<Vec<u8>, ServiceError> {
        let request = GetExamResultPdfRequest { exam_id: 1 };
        into_result(self.results().get_exam_result_pdf(request).await).map(|response| response.pdf)
    }
}

/// Extracts the text of all pages, without spaces.
pub(super) fn text_of(pdf: &[u8]) -> String {
    let document = Document::load_mem(pdf).unwrap();
    let pages: Vec<u32> = document.get_pages().into_keys().collect();
    document.extract_text(&pages).unwrap().split_whitespace().collect()
}

#[tokio::test]
async fn a_report_has_the_figures_of_the_result_and_equal_results_give_equal_bytes() {
    let hall = Hall::open().await;
    // Points 45, 35 and 25; 偏差値 62.2, 50.0 and 37.8; border 50.0.
    let candidates = hall.candidates(&[(5, 4), (3, 4), (1, 4)]).await;
    let mut connection = hall.connection().await;
    connection.execute(sqlx::raw_sql(NAMES)).await.unwrap();
    sqlx::query!(
        "UPDATE application SET candidate_number = 42 WHERE learner_id = $1 AND exam_id = 1",
        candidates[0].id,
    )
    .execute(&mut *connection)
    .await
    .unwrap();
    hall.mark().await;
    let provisional = text_of(&candidates[0].pdf().await.unwrap());
    for words in ["模試の成績表", "暫定", "この結果は暫定です。", "参考値です。"] {
        assert!(provisional.contains(words), "{words}: {provisional}");
    }
    hall.end().await;
    let pdf = candidates[0].pdf().await.unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 100_000, "{} bytes: the font is a subset", pdf.len());
    let text = text_of(&pdf);
    for words in [
        "確定",
        "受験番号",
        "000042",
        "井上拓海",
        "青葉中学校",
        "25/25点15.0点62.21位/3人",
        "合計45/50点35.0点62.21位/3人",
        "25点（平均15.0点）",
        "合格可能性は目安です。",
        "第1志望青嵐高校普通科50.0A98%―",
        "1/2ページ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("暫定"), "{text}");
    // Of 50 points in ranges of 5; the candidates have 25, 35 and 45.
    for words in
        ["得点の分布", "25〜29点1人", "45〜49点あなた1人", "50点0人", "英語1○2○3○4○5○", "英語1○2○3○4○5－"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!provisional.contains("問題ごとの正誤"), "{provisional}");
    hall.clock.advance(MINUTE * 60);
    assert_eq!(candidates[0].pdf().await.unwrap(), pdf, "an hour later");
    // B begins at 51.2, that is 36 points.
    let other = text_of(&candidates[1].pdf().await.unwrap());
    assert!(other.contains("第1志望青嵐高校普通科50.0C50%Bまで1点（51.2）"), "{other}");
}

#[tokio::test]
async fn a_report_notes_missing_papers_and_is_visible_only_to_its_candidate() {
    let hall = Hall::open().await;
    let candidate = hall.admit().await;
    assert_eq!(reason(candidate.pdf().await), "NOTHING_HANDED_IN");
    candidate.sit(PAPER, 5).await;
    let text = text_of(&candidate.pdf().await.unwrap());
    for words in ["採点中", "未提出", "合計―", "判定不可"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(hall.stranger().pdf().await.unwrap_err().code, Code::NotFound);
}
