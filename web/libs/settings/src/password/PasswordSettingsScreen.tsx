import { passkeysQuery, settings } from "../api";
import { SaveForm, wrongPassword } from "@konomana/query";
import { CurrentPasswordField, NewPasswordField, rules, useSchemaForm } from "@konomana/form";
import { replaceTokens, useSession } from "@konomana/session";
import { Alert, showBlue, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import * as v from "valibot";
import { SettingsPage } from "../parts/SettingsPage";
import { Passkeys } from "./Passkeys";

const schema = v.object({ password: rules.password, new_password: rules.newPassword });

/** /mypage/settings/password: changes the password and signs the other devices out. */
export function PasswordSettingsScreen() {
  return (
    <SettingsPage
      title="パスワードとパスキー"
      intro="パスワードを変更すると、ほかの端末からはログアウトします。この端末はログインしたままです。"
    >
      <TitledPanel gap="md" title="パスワードを変更する">
        <ChangePassword />
      </TitledPanel>
      <TitledPanel gap="md" title="パスキー">
        <Passkeys />
      </TitledPanel>
    </SettingsPage>
  );
}

function ChangePassword() {
  const { user } = useSession();
  const { data: passkeys = [] } = useQuery(passkeysQuery);
  const [changed, setChanged] = useState(false);
  const form = useSchemaForm(schema, {
    initialValues: { password: "", new_password: "" },
  });
  return (
    <SaveForm
      label="パスワードの変更"
      form={form}
      save={(passwords) => replaceTokens((token) => settings.changePassword(token, passwords))}
      onSaved={() => {
        form.reset();
        setChanged(true);
        showBlue("パスワードを変更しました。");
      }}
      failed="変更できませんでした"
      submit="変更する"
      busy="変更しています…"
      refusals={wrongPassword}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user?.email ?? ""}
        readOnly
        hidden
      />
      <CurrentPasswordField {...form.getInputProps("password")} />
      <NewPasswordField
        {...form.getInputProps("new_password")}
        name="new_password"
        label="新しいパスワード"
      />
      <div role="status">
        {changed && passkeys.length > 0 && (
          <Alert color="blue" title="パスキーもお確かめください">
            パスキーは、パスワードを変更しても使えます。下の一覧に心当たりのないパスキーがあるときは、削除してください。
          </Alert>
        )}
      </div>
    </SaveForm>
  );
}
