import { entry } from "../api";
import { SaveForm } from "@konomana/query";
import { CurrentPasswordField, NewPasswordField, rules, useSchemaForm } from "@konomana/form";
import { paths } from "@konomana/paths";
import { enter, restorePath } from "@konomana/session";
import { showBlue, Text, TextLink } from "@konomana/ui-base";
import { EmailField } from "@konomana/ui-kit";
import { useNavigate } from "react-router";
import * as v from "valibot";
import { unfinishedLogin } from "../login/unfinished";
import { EntryPage } from "../parts/EntryPage";

const schema = v.object({
  email: rules.email,
  password: rules.password,
  new_password: rules.newPassword,
});

/** /login/password/change: for an account that must change its password before it can sign in. */
export function PasswordChangeScreen() {
  const navigate = useNavigate();
  const form = useSchemaForm(schema, {
    initialValues: { email: "", password: "", ...unfinishedLogin.read(), new_password: "" },
  });
  return (
    <EntryPage
      title="パスワードの変更"
      links={<TextLink to={paths.login()}>ログインにもどる</TextLink>}
    >
      <Text>
        安全のため、このアカウントは新しいパスワードに変える必要があります。変えると、そのままログインします。
      </Text>
      <SaveForm
        label="パスワードの変更"
        form={form}
        save={async (change) => {
          const tokens = await entry.changePassword(change);
          unfinishedLogin.forget();
          // The password is changed. If the user can't be loaded, the next screen asks again.
          await enter(tokens).catch(() => {});
        }}
        onSaved={() => {
          showBlue("パスワードを変えました。");
          void navigate(restorePath(), { replace: true });
        }}
        failed="変えられませんでした"
        submit="変えてログインする"
        busy="変えています…"
      >
        <EmailField
          {...form.getInputProps("email")}
          name="email"
          autoComplete="username"
          required
        />
        <CurrentPasswordField {...form.getInputProps("password")} />
        <NewPasswordField
          {...form.getInputProps("new_password")}
          name="new_password"
          label="新しいパスワード"
        />
      </SaveForm>
    </EntryPage>
  );
}
