import { Document } from "../parts/Document";
import { clauses } from "./privacy-clauses";

/** /privacy: which personal data is kept, why, for how long, and people's rights. */
export function PrivacyScreen() {
  return (
    <Document
      title="プライバシーポリシー"
      description="コノマナが、どんな情報を、何のために、いつまで持つのか。18歳未満の方の情報、外部への送信、退会したあとの取り扱いをご説明します。"
      dates="2026年11月21日 制定・2026年11月26日 改定（模試の項目を追加）・2026年11月27日 改定（模試の受験中の記録を追加）"
      lead="コノマナを使う方の情報を、何のために、いつまで持つのかを、できるだけ具体的に書きました。法律の言葉は「個人情報」などですが、ここでは「あなたの情報」と書くことがあります。"
      brief={[
        "集めるのは、学習に必要なものだけです。広告には使いません。",
        "このサイトを見ていることを、ほかの会社に送りません。解析の道具も、広告のタグも入れていません。",
        "退会して30日たつと、あなたの情報と学習の記録を消します。",
        "18歳未満の方の情報は、購入の前に保護者の方の同意を確かめます。",
        "自分のデータは、設定の画面からいつでもダウンロードできます。",
      ]}
      clauses={clauses}
    />
  );
}
