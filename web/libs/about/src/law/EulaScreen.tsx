import { Document } from "../parts/Document";
import { clauses } from "./eula-clauses";

/** /eula: the terms of use. */
export function EulaScreen() {
  return (
    <Document
      title="利用規約"
      description="オンライン学習サービス「コノマナ」の利用規約です。アカウント、18歳未満の方の利用、購入、禁止すること、退会、責任の範囲などを定めています。"
      dates="2026年11月21日 制定"
      lead="この規約は、コノマナを使うすべての方と、運営する会社とのあいだの約束です。登録のときに同意していただきます。"
      brief={[
        "登録は無料です。アカウントは、本人だけが使ってください。",
        "18歳未満の方が購入するときは、保護者の方の同意が必要です。",
        "レッスンの動画や資料を、ほかの人に配ったり、公開したりしないでください。",
        "いつでも退会できます。退会から30日以内なら、もとに戻せます。",
        "大事な変更をするときは、30日前までにお知らせします。",
      ]}
      clauses={clauses}
    />
  );
}
