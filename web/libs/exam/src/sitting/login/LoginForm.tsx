import { rules, useSchemaForm } from "@konomana/form";
import { SaveForm, wrongPassword } from "@konomana/query";
import { leave, loginAgain, useSession } from "@konomana/session";
import { Button, Group, Note, Text } from "@konomana/ui-base";
import { PasswordField } from "@konomana/ui-kit";
import * as v from "valibot";

const schema = v.object({ password: rules.password });

/** Asks the person who sits the exam for the password. */
export function LoginForm({ onDone }: { onDone: () => void }) {
  const { user } = useSession();
  const form = useSchemaForm(schema, { initialValues: { password: "" } });
  return (
    <>
      <Text>{user?.email}</Text>
      <SaveForm
        label="もう一度ログインする"
        form={form}
        save={({ password }) => loginAgain(password)}
        onSaved={() => {
          form.reset();
          onDone();
        }}
        failed="ログインできませんでした"
        submit="ログイン"
        busy="ログインしています…"
        refusals={wrongPassword}
      >
        <PasswordField
          {...form.getInputProps("password")}
          purpose="current-password"
          name="password"
          required
        />
      </SaveForm>
      <Group actions>
        <Button pill variant="quiet" onClick={() => leave()}>
          ログインのページを開く
        </Button>
      </Group>
      <Note>ログインのページを開いても、答えはこの端末に残ります。</Note>
    </>
  );
}
