import type { Snapshot } from "./supportSnapshot";

/** The content of a build. */
export const content: Snapshot = {
  notices: [
    {
      id: 12,
      category: "メンテナンス",
      title: "12月の定期メンテナンス",
      summary: "12月5日の夜に、お休みをいただきます。",
      body: "お休みをいただきます。\n\n## 日時\n- 12月5日 2:00から\n\n[よくある質問](/inquiry)もご覧ください。",
      is_pinned: true,
      published_at: "2026-11-01T00:00:00Z",
      modified_at: "2026-11-03T00:00:00Z",
    },
    {
      id: 14,
      category: "講座",
      title: "新しい講座が始まりました",
      summary: "中3社会の講座です。",
      body: "はじめました。",
      is_pinned: false,
      published_at: "2026-11-10T00:00:00Z",
      modified_at: "2026-11-10T00:00:00Z",
    },
  ],
  faqs: [
    {
      id: 1,
      category: "料金・お支払い",
      question: "途中でやめられますか？",
      answer: "はい、いつでもやめられます。\n\n- 手続きは[設定](/mypage/settings)から",
      helpful_count: 8,
      related: [{ id: 2, question: "登録は無料ですか？" }],
    },
    {
      id: 2,
      category: "登録・ログイン",
      question: "登録は無料ですか？",
      answer: "無料です。",
      helpful_count: 0,
      related: [],
    },
  ],
  success: [2025, 2024, 2022].map((year) => ({
    year,
    as_of: `${year}-05-31`,
    figures: [{ label: "第一志望に合格", count: 150, of: 200, unit: "人" }],
    schools: [{ name: "みどり台高校", kind: "公立高校", count: 12 }],
    voices: [
      {
        name: "みずきさん",
        school: "みどり台高校",
        school_year: "中3",
        text: "毎日10分が合っていました。",
        course_ids: [105],
      },
    ],
  })),
  entryExams: [
    {
      id: 1,
      prefecture: "東京都",
      kind: "公立高校",
      name: "一般選抜",
      apply_from: "2027-02-01",
      apply_until: "2027-02-08",
      exam_on: "2027-02-21",
      result_on: "2027-03-01",
      subjects: ["国語", "数学"],
      note: "",
    },
    {
      id: 2,
      prefecture: "大阪府",
      kind: "公立高校",
      name: "特別選抜",
      apply_from: "2020-01-01",
      apply_until: "2020-01-08",
      exam_on: "2020-02-10",
      result_on: "2020-02-20",
      subjects: ["国語"],
      note: "",
    },
  ],
};
