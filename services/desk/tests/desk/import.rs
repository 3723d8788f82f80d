//! Import of content: validation, report, application.

use std::path::Path;

use desk::Run;

use crate::folder::{self, Folder};
use crate::world::World;

const ALL: &str = "SELECT count(*)::text FROM (SELECT id FROM notice UNION ALL SELECT id FROM faq UNION ALL \
                   SELECT id FROM success_voice UNION ALL SELECT id FROM entry_exam) AS everything";

fn lines(told: &str) -> Vec<&str> {
    told.lines().collect()
}

#[tokio::test]
async fn a_second_import_changes_nothing_and_a_dry_run_never_does() {
    let (world, folder) = (World::new().await, Folder::new());
    let dry = folder.import(&world, Run::Dry).await.unwrap();
    assert!(dry.starts_with("+ notice 1 夏の <講座> & \"教材\"\n+ notice 2 説明会\n"), "{dry}");
    assert_eq!(dry.lines().count(), 6 + 2 + 1 + 4 + 1, "{dry}");
    assert_eq!(world.text(ALL).await, ["0"], "nothing was kept");

    assert_eq!(folder.import(&world, Run::Real).await.unwrap(), dry, "the report is the same");
    assert_eq!(world.text(ALL).await, ["14"]);
    assert_eq!(folder.import(&world, Run::Real).await.unwrap(), "= 13 as they were");
}

#[tokio::test]
async fn the_report_lists_additions_changed_fields_and_removals() {
    let (world, folder) = (World::new().await, Folder::new());
    folder.import(&world, Run::Real).await.unwrap();
    folder.edit(
        "notices.yaml",
        "title: 説明会\n  summary: 開きます。",
        "title: 相談会\n  summary: 開きます！",
    );
    folder.edit("faqs.yaml", "related: [2]", "");
    folder.edit("faqs.yaml", "- id: 2", "- id: 3");
    folder.edit("success/2025.yaml", "count: 8", "count: 9");
    folder.edit("entry-exams.yaml", "exam_on: 2027-02-21", "exam_on: 2027-02-22");
    let wanted = [
        "~ notice 2 summary, title, title_words, words",
        "~ faq 1 related",
        "+ faq 3 パスワードを忘れました。",
        "- faq 2 パスワードを忘れました。",
        "~ success 2025 figures",
        "~ exam 11 exam_on",
        "= 8 as they were",
    ];
    assert_eq!(lines(&folder.import(&world, Run::Dry).await.unwrap()), wanted);
    assert_eq!(lines(&folder.import(&world, Run::Real).await.unwrap()), wanted);
    folder.remove("success/2025.yaml");
    let told = folder.import(&world, Run::Real).await.unwrap();
    assert_eq!(lines(&told), ["- success 2025 合格実績", "= 12 as they were"]);
    assert_eq!(world.text("SELECT count(*)::text FROM success_voice").await, ["0"]);
}

#[tokio::test]
async fn every_fault_is_reported_with_file_line_and_field_and_nothing_is_changed() {
    let (world, folder) = (World::new().await, Folder::new());
    folder.edit("notices.yaml", "category: お知らせ", "category: ニュース");
    folder.edit("notices.yaml", "published: 2026-11-10T10:00:00+09:00", "published: 2026-11-10");
    folder.edit("notices.yaml", "- [講座](/course/101)", "- [講座](http://elsewhere.example/)");
    folder.edit("notices.yaml", "- id: 2", "- id: 1");
    folder.edit("faqs.yaml", "related: [2]", "related: [1]");
    folder.edit("faqs.yaml", "answer: 新しくできます。", "answer: <b>新しく</b>できます。");
    folder.edit("success/2025.yaml", "count: 8", "count: 11");
    folder.edit("success/2025.yaml", "consent_until: 2026-11-21", "consent_until: いつまでも");
    folder.edit("entry-exams.yaml", "prefecture: 東京都", "prefecture: 東京");
    folder.edit("entry-exams.yaml", "result_on: 2027-03-01", "result_on: 2027-02-20");
    let told = folder.import(&world, Run::Real).await.unwrap_err();
    let told = lines(&told);
    assert_eq!(told[0], "nothing was imported; 10 to mend");
    let begins = [
        "entry-exams.yaml:3: prefecture: '東京' is none of 全国, 北海道",
        "entry-exams.yaml:9: result_on: is before exam_on",
        "faqs.yaml:7: related: 1 is not another question",
        "faqs.yaml:11: answer: contains an HTML tag, which would be shown as text",
        "notices.yaml:3: category: 'ニュース' is none of お知らせ, 講座, イベント, メンテナンス",
        "notices.yaml:6: published: '2026-11-10' is neither",
        "notices.yaml:13: body: has a link that is neither a path of the site nor an https address",
        "notices.yaml:14: id: 1 is there twice",
        "success/2025.yaml:4: count: is more than its total",
        "success/2025.yaml:12: consent_until: 'いつまでも' is not a day like",
    ];
    for (line, begin) in told[1..].iter().zip(begins) {
        assert!(line.starts_with(begin), "{line}\n{begin}");
    }
    assert_eq!(world.text(ALL).await, ["0"]);

    folder.edit("notices.yaml", "title: 説明会", "titel: 説明会");
    folder.remove("faqs.yaml");
    let told = folder.import(&world, Run::Real).await.unwrap_err();
    assert!(told.contains("\nfaqs.yaml: file: No such file"), "{told}");
    assert!(told.contains("\nnotices.yaml:20: titel: "), "{told}");
}

#[tokio::test]
async fn the_demo_content_is_valid() {
    let world = World::new().await;
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    folder::import(&world, &world.clock, &demo, Run::Real).await.unwrap();
    let again = folder::import(&world, &world.clock, &demo, Run::Real).await.unwrap();
    assert!(again.starts_with("= "), "{again}");
    let prefectures = "SELECT count(DISTINCT prefecture)::text FROM entry_exam WHERE kind = '公立高校'";
    assert_eq!(world.text(prefectures).await, ["47"]);
    assert_eq!(world.text("SELECT count(*)::text FROM faq").await, ["21"]);
    let public = "SELECT count(*)::text FROM notice WHERE state = 'published' AND audience = 'everyone' \
                  AND published_at < '2026-11-21'";
    assert_eq!(world.text(public).await, ["12"]);
}
