import { canHavePasskeys } from "@konomana/browser";
import { passkeysQuery, settings, type Passkey } from "../api";
import { ConfirmButton, QueryBoundary, SaveForm } from "@konomana/query";
import { limits, nameOf, useSchemaForm } from "@konomana/form";
import { renewUser } from "@konomana/session";
import {
  Alert,
  Badge,
  Button,
  formatDate,
  formatDateTime,
  Group,
  LoadingState,
  showBlue,
  Text,
  Lines,
} from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import * as v from "valibot";
import { PasswordOnce } from "../parts/PasswordOnce";
import { AddPasskey } from "./AddPasskey";
import { canMakePasskeys } from "./webauthn";

/** The passkeys of an account, and adding a new one. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery);
  return (
    <>
      <Text>
        パスキーがあると、指紋・顔・画面ロックなどで、パスワードを入力せずにログインできます。パスワードも、これまでどおり使えます。
      </Text>
      <QueryBoundary query={passkeys} loading={<LoadingState rows={1} height="4rem" />}>
        {(list) => (
          <>
            {list.some(({ suspended }) => suspended !== null) && <Suspended />}
            <Lines aria-label="パスキー">
              {list.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </Lines>
          </>
        )}
      </QueryBoundary>
      <Adding hostname={location.hostname} />
    </>
  );
}

/** Explains why passkeys are suspended and what to do. */
function Suspended() {
  return (
    <Alert color="red" title="使えなくなっているパスキーがあります">
      パスワードの再設定などがあったため、安全のために止めています。自分のパスキーは「使いつづける」、心当たりのないものは「削除する」を選んでください。
    </Alert>
  );
}

/** The form for a new passkey, or the reason why it is not possible here. */
export function Adding({ hostname }: { hostname: string }) {
  if (!canMakePasskeys()) return <Text dimmed>このブラウザでは、パスキーを追加できません。</Text>;
  if (!canHavePasskeys(hostname))
    return (
      <Text dimmed>
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
  const { name, created, last_used: used, suspended } = passkey;
  return (
    <Group as="li" gap="0.5rem 1rem" justify="space-between">
      <div>
        <Group gap="xs">
          <Text bold>{name}</Text>
          {suspended !== null && <Badge color="red">使えません</Badge>}
        </Group>
        <Text size="sm" dimmed>
          追加した日：{formatDate(created)}
        </Text>
        <Text size="sm" dimmed>
          {used === null ? "まだ使っていません" : `最後に使った日時：${formatDateTime(used)}`}
        </Text>
      </div>
      <Group gap="0.5rem">
        <Button
          ref={opener}
          variant="default"
          aria-label={`${name}の名前を変える`}
          aria-expanded={renaming}
          onClick={() => setRenaming(!renaming)}
        >
          名前を変える
        </Button>
        <Remove passkey={passkey} />
      </Group>
      {suspended !== null && <Keep passkey={passkey} onKept={() => opener.current?.focus()} />}
      {renaming && <Rename passkey={passkey} onDone={renamed} />}
    </Group>
  );
}

const schema = v.object({ name: nameOf(limits.passkeyName) });

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useSchemaForm(schema, {
    initialValues: { name: passkey.name },
    sentences: "passkey",
    validateInputOnBlur: false,
  });
  return (
    <div className="kn-whole">
      <SaveForm
        label={`${passkey.name}の名前`}
        form={form}
        save={({ name }) => settings.renamePasskey(passkey.id, name)}
        onSaved={async () => {
          await queries.invalidateQueries(passkeysQuery);
          showBlue("パスキーの名前を変えました。");
          onDone();
        }}
        failed="名前を変えられませんでした"
        submit="この名前にする"
        busy="変えています…"
        sentences="passkey"
      >
        <TextField
          {...form.getInputProps("name")}
          name="passkey-name"
          label="新しい名前"
          autoComplete="off"
          required
        />
      </SaveForm>
    </div>
  );
}

/** Reactivates a suspended passkey after the password was entered. */
function Keep({ passkey: { id, name }, onKept }: { passkey: Passkey; onKept: () => void }) {
  const [wanted, setWanted] = useState(false);
  const refresh = useRefresh();
  return (
    <div className="kn-whole">
      <Button
        aria-label={`${name}を使いつづける`}
        aria-expanded={wanted}
        onClick={() => setWanted(!wanted)}
      >
        使いつづける
      </Button>
      {wanted && (
        <PasswordOnce
          label={`${name}を使いつづける`}
          send={(password) => settings.keepPasskey(id, password)}
          onDone={async () => {
            // The row's own button stays. This form is removed with the response.
            onKept();
            await refresh();
            showBlue("パスキーを使えるようにしました。");
          }}
          failed="パスキーを使えるようにできませんでした"
          submit="使えるようにする"
          busy="送っています…"
        />
      )}
    </div>
  );
}

/** Refetches the passkeys and the user, which contains the number of suspended passkeys. */
function useRefresh(): () => Promise<unknown> {
  const queries = useQueryClient();
  // If the call fails, the old user data is shown until the page is reloaded.
  return () => Promise.all([queries.invalidateQueries(passkeysQuery), renewUser().catch(() => {})]);
}

function Remove({ passkey: { id, name } }: { passkey: Passkey }) {
  const refresh = useRefresh();
  const removing = useMutation({
    mutationFn: () => settings.removePasskey(id),
    onSuccess: async () => {
      await refresh();
      showBlue("パスキーを削除しました。");
    },
  });
  return (
    <ConfirmButton
      label="削除する"
      fullLabel={`${name}を削除する`}
      title={`パスキー「${name}」を削除しますか？`}
      yes="削除する"
      doing={removing}
    >
      このパスキーではログインできなくなります。削除したことをメールでお知らせします。端末に残ったパスキーは、端末の設定から消してください。
    </ConfirmButton>
  );
}
