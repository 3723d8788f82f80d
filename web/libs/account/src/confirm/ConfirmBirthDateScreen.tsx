import { type BirthDateChange, entry } from "../api";
import { dayInWords } from "@konomana/form";
import { Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { CheckedMailLink, type Outcome } from "./MailLink";

const approved: Outcome = {
  title: "変更を承認しました",
  text: "生年月日を変更しました。お子さまにもメールでお知らせしました。この画面は閉じて大丈夫です。",
};

const declined: Outcome = {
  title: "変更を断りました",
  text: "生年月日は、いまのままです。お子さまにもメールでお知らせしました。この画面は閉じて大丈夫です。",
};

/**
 * /confirm/birth-date: a guardian approves or rejects a change of a learner's birth date. Opened
 * from the link of a mail.
 */
export function ConfirmBirthDateScreen() {
  return (
    <CheckedMailLink
      title="生年月日の変更の確認"
      check={entry.checkBirthDate}
      whenDead="承認も断りもしていないときは、いまの生年月日のままです。お子さまがもう一度変更すると、新しいメールが届きます。"
    >
      {(change, { token, finish }) => (
        <>
          <Text>
            <strong>{change.learner_name}さん</strong>
            が、登録した生年月日を変えようとしています。18歳以上になると、購入に保護者の方の同意がいらなくなります。
          </Text>
          <Dates change={change} />
          <ActionButton
            label="正しいので承認する"
            busy="送っています…"
            failed="承認できませんでした"
            call={() => finish(entry.decideBirthDate({ token, approve: true }), approved)}
          />
          <ActionButton
            label="断る"
            busy="送っています…"
            failed="断れませんでした"
            variant="default"
            call={() => finish(entry.decideBirthDate({ token, approve: false }), declined)}
          />
        </>
      )}
    </CheckedMailLink>
  );
}

function Dates({ change }: { change: BirthDateChange }) {
  return (
    <dl className="kn-facts">
      <div>
        <dt>いまの生年月日</dt>
        <dd>{change.birth_date === null ? "登録なし" : dayInWords(change.birth_date)}</dd>
      </div>
      <div>
        <dt>新しい生年月日</dt>
        <dd>{dayInWords(change.requested_birth_date)}</dd>
      </div>
    </dl>
  );
}
