import { SaveForm, wrongPassword } from "@konomana/calls";
import { CurrentPasswordField, rules, validated } from "@konomana/form";
import { useForm } from "@mantine/form";
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

/** Asks for the password once more before something that only its owner may do. */
export function PasswordOnce<Answer>({ send, onDone, ...texts }: PasswordOnceProps<Answer>) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { password: "" },
    validate: validated(schema),
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
