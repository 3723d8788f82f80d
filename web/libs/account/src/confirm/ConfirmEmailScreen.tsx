import { entry } from "../api";
import { paths } from "@konomana/paths";
import { renewUser, sessionStore } from "@konomana/session";
import { Text, ButtonLink } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { MailLink, type Outcome } from "./MailLink";

const changed: Outcome = {
  title: "メールアドレスを変えました",
  text: "次からは、新しいメールアドレスでログインしてください。",
  action: (
    <ButtonLink to={paths.mypage()} size="lg" fullWidth>
      マイページへ
    </ButtonLink>
  ),
};

async function confirmEmail(token: string): Promise<void> {
  await entry.confirmEmail(token);
  // If the person is signed in here, shows the new address. If the call fails, the next page load
  // shows it.
  if (sessionStore.get().loggedIn) await renewUser().catch(() => {});
}

/**
 * /confirm/email: confirms the new address of an account. Opened from the link of the mail to it.
 */
export function ConfirmEmailScreen() {
  return (
    <MailLink
      title="新しいメールアドレスの確認"
      whenDead="もう一度変えるときは、「設定」の「メールアドレス」からお手続きください。"
    >
      {({ token, finish }) => (
        <>
          <Text>
            ボタンを押すと、ログインに使うアドレスが、このメールの届いたアドレスに変わります。
          </Text>
          <ActionButton
            label="メールアドレスを変える"
            busy="変えています…"
            failed="変えられませんでした"
            call={() => finish(confirmEmail(token), changed)}
          />
        </>
      )}
    </MailLink>
  );
}
