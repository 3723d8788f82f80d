import { SaveForm } from "@konomana/query";
import { rules, useSchemaForm } from "@konomana/form";
import { type Credentials, login, logout, sessionStore } from "@konomana/session";
import { Alert, Panel, Stack, Title } from "@konomana/ui-base";
import { EmailField, PasswordField } from "@konomana/ui-kit";
import { useState } from "react";
import * as v from "valibot";
import { isStaff } from "./isStaff";

const schema = v.object({ email: rules.email, password: rules.password });

/** The staff sign-in. An account without a staff permission is signed out again, with a message. */
export function SignInScreen() {
  const [refused, setRefused] = useState(false);
  const form = useSchemaForm(schema, { initialValues: { email: "", password: "" } });

  const signIn = async (credentials: Credentials) => {
    setRefused(false);
    await login(credentials);
    if (isStaff(sessionStore.get().user)) return;
    // The console and the site have the same origin and share a session.
    await logout();
    setRefused(true);
  };

  return (
    <Panel>
      <Stack gap="lg">
        <Title order={1} size="h2">
          スタッフのログイン
        </Title>
        <div role="status">
          {refused && (
            <Alert color="red" title="このアカウントでは使えません">
              スタッフ用のアカウントではないため、ログアウトしました。スタッフ用のアカウントでログインしてください。
            </Alert>
          )}
        </div>
        <SaveForm
          label="スタッフのログイン"
          form={form}
          save={signIn}
          failed="ログインできませんでした"
          submit="ログイン"
          busy="ログインしています…"
        >
          <EmailField
            {...form.getInputProps("email")}
            name="email"
            autoComplete="username"
            required
          />
          <PasswordField
            {...form.getInputProps("password")}
            purpose="current-password"
            name="password"
            required
          />
        </SaveForm>
      </Stack>
    </Panel>
  );
}
