import { entry } from "../api";
import { paths } from "@konomana/paths";
import { ButtonLink, Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { MailLink, type Outcome } from "./MailLink";

const ended: Outcome = {
  title: "メールを止めました",
  text: "この種類のお知らせのメールは、もう届きません。「設定」の「お知らせの受け取り」から、いつでももとに戻せます。",
  action: (
    <ButtonLink to={paths.settingsNotification()} variant="default" size="lg" fullWidth>
      お知らせの受け取りを見る
    </ButtonLink>
  ),
};

/** /confirm/unsubscribe: ends the mails of one topic. Opened from the link of such a mail, without a session. */
export function ConfirmUnsubscribeScreen() {
  return (
    <MailLink
      title="お知らせのメールを止める"
      whenDead="「設定」の「お知らせの受け取り」から止められます。"
    >
      {({ token, finish }) => (
        <>
          <Text>
            ボタンを押すと、このメールと同じ種類のお知らせが、メールで届かなくなります。お申し込みやお支払い、アカウントについての大切なメールは、これまでどおり届きます。
          </Text>
          <ActionButton
            label="メールを止める"
            busy="止めています…"
            failed="止められませんでした"
            call={() => finish(entry.unsubscribe(token), ended)}
          />
        </>
      )}
    </MailLink>
  );
}
