import { entry } from "../api";
import { Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { MailLink, type Outcome } from "./MailLink";
import { NewPasswordLink } from "./NewPasswordLink";

const undone: Outcome = {
  title: "もとに戻しました",
  text: "すべての端末でログアウトし、これまでのパスワードとパスキーは使えなくしました。もとのメールアドレスに届くメールで、新しいパスワードを決めてください。",
  action: <NewPasswordLink />,
};

/**
 * /confirm/undo: reverts a change of the address. Opened from the link of the mail to the old
 * address.
 */
export function ConfirmUndoScreen() {
  return (
    <MailLink
      title="メールアドレスをもとに戻す"
      whenDead="もとに戻していないのにログインできないときは、ご連絡ください。"
    >
      {({ token, finish }) => (
        <>
          <Text>
            メールアドレスの変更に心当たりがないときは、もとに戻してください。すべての端末でログアウトし、いまのパスワードとパスキーは使えなくなります。
          </Text>
          <ActionButton
            label="もとに戻す"
            busy="戻しています…"
            failed="戻せませんでした"
            call={() => finish(entry.undoEmail(token), undone)}
          />
        </>
      )}
    </MailLink>
  );
}
