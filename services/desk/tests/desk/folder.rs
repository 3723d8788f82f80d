//! A folder of content for tests.

use std::fs;
use std::path::{Path, PathBuf};

use desk::Run;
use kit::test::HandClock;
use uuid::Uuid;

use crate::world::World;

pub(crate) const NOTICES: &str = "notices:
- id: 1
  category: お知らせ
  audience: everyone
  state: published
  published: 2026-11-10T10:00:00+09:00
  title: 夏の <講座> & \"教材\"
  readings: なつ こうざ
  summary: 公開しました。
  body: |
    始めました。

    - [講座](/course/101)
- id: 2
  category: イベント
  audience: everyone
  state: published
  pinned: true
  published: 2026-11-01T10:00:00+09:00
  title: 説明会
  summary: 開きます。
  body: 来てください。
- id: 3
  category: イベント
  audience: everyone
  state: published
  published: 2026-11-22T10:00:00+09:00
  title: 明日のこと
  summary: まだです。
  body: まだです。
- id: 4
  category: お知らせ
  audience: learner
  state: published
  published: 2026-11-10T10:00:00+09:00
  title: 受講生へ
  summary: 受講生だけに。
  body: 受講生だけに。
- id: 5
  category: お知らせ
  audience: everyone
  state: draft
  published: 2026-11-10T10:00:00+09:00
  title: 下書き
  summary: 書きかけです。
  body: 書きかけです。
- id: 6
  category: お知らせ
  audience: everyone
  state: archived
  published: 2026-11-10T10:00:00+09:00
  title: 終わったこと
  summary: 終わりました。
  body: 終わりました。
";

const FAQS: &str = "faqs:
- id: 1
  category: 料金・お支払い
  question: いつでも解約できますか。
  readings: かいやく
  answer: できます。100%です。
  related: [2]
- id: 2
  category: アカウント
  question: パスワードを忘れました。
  answer: 新しくできます。
";

const YEAR: &str = "year: 2025
as_of: 2025-05-31
figures:
- {label: 合格した人, count: 8, of: 10, unit: 人}
schools:
- {name: 県立青嶺高校, kind: 公立高校, count: 3}
voices:
- id: 202501
  name: Aさん
  school: 県立青嶺高校
  school_year: 中3
  consent_until: 2026-11-21
  courses: [101, 102]
  text: よかったです。
- id: 202502
  name: Bさん
  school: 県立青嶺高校
  school_year: 中2
  consent_until: 2027-11-21
  courses: [102]
  text: 楽しかったです。
";

const EXAMS: &str = "exams:
- id: 11
  prefecture: 東京都
  kind: 公立高校
  name: 学力検査
  apply_from: 2027-02-03
  apply_until: 2027-02-05
  exam_on: 2027-02-21
  result_on: 2027-03-01
  subjects: [国語, 数学]
- id: 12
  prefecture: 大阪府
  kind: 公立高校
  name: 一般
  apply_from: 2026-04-01
  apply_until: 2026-04-02
  exam_on: 2026-04-03
  result_on: 2026-04-04
  subjects: [国語]
  note: 見込みです。
- id: 13
  prefecture: 全国
  kind: 大学
  name: 共通
  apply_from: 2025-10-01
  apply_until: 2025-10-08
  exam_on: 2026-01-17
  result_on: 2026-02-01
  subjects: [国語]
- id: 14
  prefecture: 全国
  kind: 大学
  name: 次の共通
  apply_from: 2026-10-01
  apply_until: 2026-10-08
  exam_on: 2027-01-16
  result_on: 2027-02-01
  subjects: [国語]
";

/// Deleted at the end of the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a valid folder.
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("desk-{}", Uuid::now_v7()));
        fs::create_dir_all(path.join("success")).unwrap();
        let folder = Self(path);
        folder.write("notices.yaml", NOTICES);
        folder.write("faqs.yaml", FAQS);
        folder.write("success/2025.yaml", YEAR);
        folder.write("entry-exams.yaml", EXAMS);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    /// Replaces the only occurrence of `old` by `new`.
    pub(crate) fn edit(&self, file: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.0.join(file)).unwrap();
        assert!(text.contains(old), "{file} has no {old}");
        self.write(file, &text.replacen(old, new, 1));
    }

    pub(crate) fn remove(&self, file: &str) {
        fs::remove_file(self.0.join(file)).unwrap();
    }

    /// Imports the folder and formats the result: the changes, or all faults.
    pub(crate) async fn import(&self, world: &World, run: Run) -> Result<String, String> {
        import(world, &world.clock, &self.0, run).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) async fn import(
    world: &World,
    clock: &HandClock,
    path: &Path,
    run: Run,
) -> Result<String, String> {
    let outcome = desk::import_folder(&world.database.pool, &clock.clock(), path, run).await;
    outcome.map(|difference| difference.to_string()).map_err(|error| error.to_string())
}
