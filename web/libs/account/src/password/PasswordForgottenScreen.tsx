import { entry } from "../api";
import { SaveForm } from "@konomana/query";
import { rules, useSchemaForm } from "@konomana/form";
import { paths } from "@konomana/paths";
import { createDraft } from "@konomana/session";
import { Alert, Text, TextLink } from "@konomana/ui-base";
import { EmailField } from "@konomana/ui-kit";
import { useState } from "react";
import { useLocation } from "react-router";
import * as v from "valibot";
import { EntryPage } from "../parts/EntryPage";

const schema = v.object({ email: rules.email });
const draft = createDraft<{ email: string }>("password", ["email"]);
/** The location state that the login screen passes. */
const locationState = v.fallback(v.object({ email: v.pipe(v.string(), v.nonEmpty()) }), {
  email: "",
});

/** /login/password: requests the mail with the link for a new password. */
export function PasswordForgottenScreen() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const typed = v.parse(locationState, useLocation().state);
  const form = useSchemaForm(schema, {
    initialValues: { ...typed, ...(typed.email === "" && draft.read()) },
    onValuesChange: draft.write,
  });
  return (
    <EntryPage
      title="パスワードの再設定"
      links={<TextLink to={paths.login()}>ログインにもどる</TextLink>}
    >
      <div role="status">
        {sentTo !== null && (
          <Alert color="blue" title="メールをお送りしました">
            {sentTo}
            に登録があれば、新しいパスワードを決めるリンクが届きます。リンクは30分間、1回だけ使えます。
          </Alert>
        )}
      </div>
      <Text>登録したメールアドレスを入力してください。</Text>
      <SaveForm
        label="パスワードの再設定"
        form={form}
        save={({ email }) => entry.askReset(email)}
        onSaved={(_, { email }) => {
          setSentTo(email);
          draft.clear();
        }}
        failed="送れませんでした"
        submit={sentTo === null ? "メールを送る" : "もう一度送る"}
        busy="送っています…"
      >
        <EmailField
          {...form.getInputProps("email")}
          name="email"
          autoComplete="username"
          required
        />
      </SaveForm>
    </EntryPage>
  );
}
