import { enter } from "@konomana/session";
import { Text } from "@konomana/ui-base";
import { useState } from "react";
import { ActionButton } from "../parts/ActionButton";
import { tokensByPasskey } from "./passkey";

/** Signs in with a passkey of this device instead of a password. */
export function PasskeyLogin() {
  const [missed, setMissed] = useState(false);
  return (
    <div>
      <ActionButton
        label="パスキーでログイン"
        busy="端末の画面で確かめてください…"
        failed="ログインできませんでした"
        variant="default"
        call={tokensByPasskey}
        onDone={async (tokens) => {
          setMissed(tokens === null);
          if (tokens) await enter(tokens);
        }}
      />
      <Text role="status" size="sm" mt={missed ? "xs" : undefined}>
        {missed &&
          "パスキーを使えませんでした。パスワードでログインして、「設定」の「パスワードとパスキー」で追加できます。"}
      </Text>
    </div>
  );
}
