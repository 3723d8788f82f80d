import { paths } from "@konomana/paths";
import { Button, Text } from "@konomana/ui";
import { Link } from "react-router";
import { EntryPage } from "../parts/EntryPage";

/** /login/password/reset/complete: the new password is in force. */
export function Component() {
  return (
    <EntryPage title="パスワードを変えました">
      <Text>新しいパスワードでログインしてください。ほかの端末では、ログアウトしています。</Text>
      <Text>
        パスキーを登録している方は、ログインしたあと「設定」の「パスワードとパスキー」で、使いつづけるものを選んでください。
      </Text>
      <Button component={Link} to={paths.login()} size="lg" fullWidth>
        ログイン
      </Button>
    </EntryPage>
  );
}
