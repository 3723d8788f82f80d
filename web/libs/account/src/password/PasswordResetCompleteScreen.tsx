import { paths } from "@konomana/paths";
import { Text, ButtonLink } from "@konomana/ui-base";
import { EntryPage } from "../parts/EntryPage";

/** /login/password/reset/complete: the password has been changed. */
export function PasswordResetCompleteScreen() {
  return (
    <EntryPage title="パスワードを変えました">
      <Text>新しいパスワードでログインしてください。ほかの端末では、ログアウトしています。</Text>
      <Text>
        パスキーを登録している方は、ログインしたあと「設定」の「パスワードとパスキー」で、使いつづけるものを選んでください。
      </Text>
      <ButtonLink to={paths.login()} size="lg" fullWidth>
        ログイン
      </ButtonLink>
    </EntryPage>
  );
}
