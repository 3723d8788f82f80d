import { canHavePasskeys, passkeysQuery, settings, type Passkey } from "@konomana/api";
import { AskButton, Loaded, SaveForm } from "@konomana/calls";
import { lineOf, validated } from "@konomana/form";
import {
  Button,
  formatDate,
  formatDateTime,
  LoadingState,
  showBlue,
  Text,
  TextField,
} from "@konomana/ui";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import * as v from "valibot";
import styles from "../parts/parts.module.css";
import { AddPasskey } from "./AddPasskey";
import { PASSKEY_NAME_MAX } from "./passkey-name";
import { canMakePasskeys } from "./webauthn";

/** The passkeys of an account: those there are, and a new one. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  return (
    <>
      <Text>
        パスキーがあると、指紋・顔・画面ロックなどで、パスワードを入力せずにログインできます。パスワードも、これまでどおり使えます。
      </Text>
      <Loaded query={passkeys} loading={<LoadingState rows={1} height="4rem" />}>
        {(list) => (
          <ul className={styles.list} aria-label="パスキー">
            {list.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
      </Loaded>
      <Adding hostname={location.hostname} />
    </>
  );
}

/** The way to one more, or why there is none here. */
export function Adding({ hostname }: { hostname: string }) {
  if (!canMakePasskeys())
    return <Text c="dimmed">このブラウザーでは、パスキーを追加できません。</Text>;
  if (!canHavePasskeys(hostname))
    return (
      <Text c="dimmed">
        数字のアドレス（{hostname}
        ）で開いているため、パスキーを追加できません。名前のアドレスで開くと、追加できます。
      </Text>
    );
  return <AddPasskey />;
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [renaming, setRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const renamed = () => {
    setRenaming(false);
    opener.current?.focus();
  };
  const { name, created, last_used: used } = passkey;
  return (
    <li className={styles.row}>
      <div>
        <Text fw={700}>{name}</Text>
        <Text size="sm" c="dimmed">
          追加した日：{formatDate(created)}
        </Text>
        <Text size="sm" c="dimmed">
          {used === null ? "まだ使っていません" : `最後に使った日時：${formatDateTime(used)}`}
        </Text>
      </div>
      <div className={styles.actions}>
        <Button
          ref={opener}
          variant="default"
          size="md"
          aria-label={`${name}の名前を変える`}
          aria-expanded={renaming}
          onClick={() => setRenaming(!renaming)}
        >
          名前を変える
        </Button>
        <Remove passkey={passkey} />
      </div>
      {renaming && <Rename passkey={passkey} onDone={renamed} />}
    </li>
  );
}

const schema = v.object({ name: lineOf(PASSKEY_NAME_MAX) });

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: passkey.name }, validate: validated(schema) });
  return (
    <div className={styles.whole}>
      <SaveForm
        label={`${passkey.name}の名前`}
        form={form}
        save={(typed) => settings.renamePasskey(passkey.id, v.parse(schema, typed).name)}
        onSaved={async () => {
          await queries.invalidateQueries(passkeysQuery);
          showBlue("パスキーの名前を変えました。");
          onDone();
        }}
        failed="名前を変えられませんでした"
        submit="この名前にする"
        busy="変えています…"
      >
        <TextField
          {...form.getInputProps("name")}
          name="passkey-name"
          label="新しい名前"
          autoComplete="off"
          required
          withAsterisk={false}
        />
      </SaveForm>
    </div>
  );
}

function Remove({ passkey: { id, name } }: { passkey: Passkey }) {
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: () => settings.removePasskey(id),
    networkMode: "always",
    onSuccess: async () => {
      await queries.invalidateQueries(passkeysQuery);
      showBlue("パスキーを削除しました。");
    },
  });
  return (
    <AskButton
      label="削除する"
      fullLabel={`${name}を削除する`}
      title={`パスキー「${name}」を削除しますか？`}
      yes="削除する"
      doing={removing}
    >
      このパスキーではログインできなくなります。端末に残ったパスキーは、端末の設定から消してください。
    </AskButton>
  );
}
