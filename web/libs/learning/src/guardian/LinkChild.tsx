import { childrenQuery, linkChild } from "../api";
import { SaveForm, type Refusals } from "@konomana/query";
import { showBlue } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { complaintAbout, readCode } from "./code";
import styles from "./LinkChild.module.css";

const refusals: Refusals = {
  CODE_WRONG: {
    field: "code",
    sentence: "コードが正しくないか、使えなくなっています。お子さまにお確かめください。",
  },
};

/** A form for the code that a child has given to their guardian. */
export function LinkChild() {
  const queries = useQueryClient();
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { code: "" },
    validate: { code: complaintAbout },
  });
  return (
    <SaveForm
      label="お子さまとつながる"
      form={form}
      save={({ code }) => linkChild(readCode(code))}
      onSaved={async ({ name }) => {
        form.reset();
        showBlue(`${name}さんとつながりました。`);
        await queries.invalidateQueries(childrenQuery);
      }}
      failed="つながれませんでした"
      submit="つながる"
      busy="確かめています…"
      refusals={refusals}
    >
      <TextField
        key={form.key("code")}
        {...form.getInputProps("code")}
        label="8文字のコード"
        description="例：ABCD-2345（大文字でも小文字でもかまいません）"
        name="code"
        inputClassName={styles.code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
    </SaveForm>
  );
}
