import { entry } from "../api";
import { Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { CheckedMailLink, type Outcome } from "./MailLink";

const withdrawn: Outcome = {
  title: "同意を取り消しました",
  text: "お子さまにもメールでお知らせしました。保護者の方がもう一度同意するまで、講座を購入できません。この画面は閉じて大丈夫です。",
};

/** /confirm/withdraw: a guardian withdraws consent. Opened from the link of the receipt. */
export function ConfirmWithdrawScreen() {
  return (
    <CheckedMailLink
      title="同意の取り消し"
      check={entry.checkWithdrawal}
      whenDead="同意の手続きを2回以上したときは、いちばん新しい控えのメールから取り消せます。"
    >
      {({ guardian_name, learner_name }, { token, finish }) => (
        <>
          <Text>
            {guardian_name}さま。<strong>{learner_name}さん</strong>
            のコノマナの利用への同意を取り消します。
          </Text>
          <Text>
            取り消すと、お子さまは新しい講座を購入できなくなります。アカウントと、すでに購入した講座は残ります。
          </Text>
          <ActionButton
            label="同意を取り消す"
            busy="送っています…"
            failed="取り消せませんでした"
            call={() => finish(entry.withdrawConsent(token), withdrawn)}
          />
        </>
      )}
    </CheckedMailLink>
  );
}
