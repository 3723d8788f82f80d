import { settings } from "../api";
import { SaveForm, wrongPassword } from "@konomana/query";
import { CurrentPasswordField, rules, useSchemaForm } from "@konomana/form";
import { useSession } from "@konomana/session";
import { Button, showBlue, Stack, Text, TitledPanel } from "@konomana/ui-base";
import { EmailField } from "@konomana/ui-kit";
import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import { SettingsPage } from "../parts/SettingsPage";

const schema = v.object({ email: rules.email, password: rules.password });

/**
 * /mypage/settings/email: changes the address. The new one is active once the link in its mail is
 * used.
 */
export function EmailSettingsScreen() {
  const { user } = useSession();
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <SettingsPage title="メールアドレス">
      <TitledPanel gap="md" title="いまのメールアドレス">
        <Text bold>{user?.email}</Text>
      </TitledPanel>
      <TitledPanel gap="md" title="新しいメールアドレスにする">
        {sentTo === null ? (
          <NewAddress onSent={setSentTo} />
        ) : (
          <Sent to={sentTo} onAgain={() => setSentTo(null)} />
        )}
      </TitledPanel>
    </SettingsPage>
  );
}

function NewAddress({ onSent }: { onSent: (to: string) => void }) {
  const form = useSchemaForm(schema, {
    initialValues: { email: "", password: "" },
  });
  return (
    <SaveForm
      label="メールアドレスの変更"
      form={form}
      save={settings.changeEmail}
      onSaved={(_, { email }) => {
        showBlue("確認のメールをお送りしました。");
        onSent(email);
      }}
      failed="メールを送れませんでした"
      submit="確認のメールを送る"
      busy="送っています…"
      refusals={wrongPassword}
    >
      <EmailField
        {...form.getInputProps("email")}
        name="email"
        label="新しいメールアドレス"
        required
      />
      <CurrentPasswordField {...form.getInputProps("password")} />
    </SaveForm>
  );
}

function Sent({ to, onAgain }: { to: string; onAgain: () => void }) {
  const message = useRef<HTMLDivElement>(null);
  // The focused form is gone, so the focus moves to the message.
  useEffect(() => message.current?.focus(), []);
  return (
    <Stack gap="sm" ref={message} tabIndex={-1}>
      <Text>
        <strong>{to}</strong> に確認のメールをお送りしました。まだ変更は終わっていません。
      </Text>
      <Text>
        メールのリンクを24時間以内に開くと、メールアドレスが変わります。いまのメールアドレスにも、変更を止められるお知らせをお送りしました。
      </Text>
      <Text size="sm" dimmed>
        届かないときは、迷惑メールのフォルダーと、アドレスのまちがいをお確かめください。
      </Text>
      <div>
        <Button variant="default" onClick={onAgain}>
          アドレスを入力しなおす
        </Button>
      </div>
    </Stack>
  );
}
