import { SaveForm, wrongPassword } from "@konomana/query";
import { CurrentPasswordField, rules, useSchemaForm } from "@konomana/form";
import * as v from "valibot";

interface PasswordOnceProps<Answer> {
  label: string;
  send: (password: string) => Promise<Answer>;
  onDone: (answer: Answer) => unknown;
  failed: string;
  submit: string;
  busy: string;
}

const schema = v.object({ password: rules.password });

/** A form that asks for the password again before a sensitive action. */
export function PasswordOnce<Answer>({ send, onDone, ...texts }: PasswordOnceProps<Answer>) {
  const form = useSchemaForm(schema, {
    mode: "uncontrolled",
    initialValues: { password: "" },
    validateInputOnBlur: false,
  });
  const done = (answer: Answer) => {
    form.reset();
    onDone(answer);
  };
  return (
    <SaveForm
      {...texts}
      form={form}
      save={({ password }) => send(password)}
      onSaved={done}
      refusals={wrongPassword}
    >
      <CurrentPasswordField key={form.key("password")} {...form.getInputProps("password")} />
    </SaveForm>
  );
}
