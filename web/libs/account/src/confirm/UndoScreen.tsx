import { entry } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Button, Text } from "@konomana/ui";
import { Link } from "react-router";
import { DoButton } from "../parts/DoButton";
import { type AskProps, Confirm } from "./Confirm";

/** /confirm/undo: takes a change of the address back, by the link of the mail to the old one. */
export function Component() {
  return (
    <Confirm
      title="メールアドレスをもとに戻す"
      Ask={Ask}
      done={{
        title: "もとに戻しました",
        text: "すべての端末でログアウトし、これまでのパスワードとパスキーは使えなくしました。もとのメールアドレスに届くメールで、新しいパスワードを決めてください。",
        action: (
          <Button component={Link} to={paths.password()} size="lg" fullWidth>
            新しいパスワードを決める
          </Button>
        ),
      }}
    />
  );
}

function Ask({ token, onDone }: AskProps) {
  return (
    <>
      <Text>
        メールアドレスの変更に心当たりがないときは、もとに戻してください。すべての端末でログアウトし、いまのパスワードとパスキーは使えなくなります。
      </Text>
      <DoButton
        label="もとに戻す"
        busy="戻しています…"
        failed="戻せませんでした"
        call={() => entry.undoEmail(token)}
        onDone={onDone}
      />
    </>
  );
}
