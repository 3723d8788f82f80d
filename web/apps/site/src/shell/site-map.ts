import { paths } from "@konomana/paths";

/** A group of links of the public site. */
interface Group {
  readonly title: string;
  readonly links: readonly { readonly to: string; readonly label: string }[];
}

/** The links of the public site, for the footer and the menu of a phone. */
export const siteMap: readonly Group[] = [
  {
    title: "学ぶ",
    links: [
      { to: paths.courses(), label: "講座をさがす" },
      { to: paths.recent(), label: "最近見た講座" },
      { to: paths.entryExam(), label: "入試カレンダー" },
      { to: paths.freeCheck(), label: "無料の実力チェック" },
      { to: paths.konomoshi(), label: "コノ模試" },
      { to: paths.konoshiki(), label: "コノシキ" },
    ],
  },
  {
    title: "コノマナを知る",
    links: [
      { to: paths.student(), label: "生徒のみなさんへ" },
      { to: paths.parent(), label: "保護者の方へ" },
      { to: paths.teachers(), label: "先生の紹介" },
      { to: paths.success(2025), label: "合格実績" },
      { to: paths.about(), label: "コノマナについて" },
    ],
  },
  {
    title: "お知らせ・ご相談",
    links: [
      { to: paths.notices(), label: "お知らせ" },
      { to: paths.answers(), label: "よくある質問" },
      { to: paths.contact(), label: "お問い合わせ" },
    ],
  },
];

/** Legal links that every page must offer. */
export const legal: Group["links"] = [
  { to: paths.eula(), label: "利用規約" },
  { to: paths.privacy(), label: "プライバシーポリシー" },
  { to: paths.commerce(), label: "特定商取引法に基づく表記" },
];
