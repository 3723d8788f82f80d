import { entry } from "../api";
import { Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { MailLink, type Outcome } from "./MailLink";
import { NewPasswordLink } from "./NewPasswordLink";

const stopped: Outcome = {
  title: "変更を止めました",
  text: "メールアドレスは変わりません。ほかの人にパスワードを知られているおそれがあります。新しいパスワードに変えることをおすすめします。",
  action: <NewPasswordLink />,
};

const whenChanged =
  "もう変わっているときは、「メールアドレスが変更されました」というメールから、もとに戻せます。";

/**
 * /confirm/stop: cancels an unconfirmed change of the address. Opened from the link of the mail to
 * the current address.
 */
export function ConfirmStopScreen() {
  return (
    <MailLink title="メールアドレスの変更を止める" whenDead={whenChanged}>
      {({ token, finish }) => (
        <>
          <Text>
            メールアドレスの変更に心当たりがないときは、ボタンを押して止めてください。いまのメールアドレスのままになります。
          </Text>
          <ActionButton
            label="変更を止める"
            busy="止めています…"
            failed="止められませんでした"
            call={() => finish(entry.stopEmail(token), stopped)}
          />
          <Text size="sm" dimmed>
            {whenChanged}
          </Text>
        </>
      )}
    </MailLink>
  );
}
