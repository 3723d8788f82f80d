import { entry } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Button, Text } from "@konomana/ui";
import { Link } from "react-router";
import { DoButton } from "../parts/DoButton";
import { type AskProps, Confirm } from "./Confirm";

/** /confirm/stop: stops a change of the address before it is confirmed, by the link of the mail to the one in force. */
export function Component() {
  return (
    <Confirm
      title="メールアドレスの変更を止める"
      Ask={Ask}
      done={{
        title: "変更を止めました",
        text: "メールアドレスは変わりません。ほかの人にパスワードを知られているおそれがあります。新しいパスワードに変えることをおすすめします。",
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
        メールアドレスの変更に心当たりがないときは、ボタンを押して止めてください。いまのメールアドレスのままになります。
      </Text>
      <DoButton
        label="変更を止める"
        busy="止めています…"
        failed="止められませんでした"
        call={() => entry.stopEmail(token)}
        onDone={onDone}
      />
      <Text size="sm" c="dimmed">
        もう変わっているときは、「メールアドレスが変更されました」というメールから、もとに戻せます。
      </Text>
    </>
  );
}
