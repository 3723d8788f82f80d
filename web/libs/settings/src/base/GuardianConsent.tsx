import { settings } from "../api";
import { SaveForm } from "@konomana/query";
import { choiceOf, limits, lineOf, rules, useSchemaForm } from "@konomana/form";
import { renewUser } from "@konomana/session";
import { paths } from "@konomana/paths";
import { showBlue, Text, TextLink } from "@konomana/ui-base";
import { EmailField, SelectField, TextField } from "@konomana/ui-kit";
import * as v from "valibot";

const relations = ["母", "父", "祖父母", "その他の保護者"] as const;

const schema = v.object({
  name: lineOf(limits.guardianName),
  relation: choiceOf(relations),
  email: rules.email,
});

const words = {
  missing:
    "18歳未満の方が講座を購入するには、保護者の方の同意が必要です。保護者の方にメールをお送りします。",
  waiting:
    "保護者の方にメールをお送りしました。メールのリンク（48時間有効）から同意していただくと、購入できるようになります。届いていないときや、期限が切れたときは、もう一度送れます。",
  given: "保護者の方の同意を確認しました。ありがとうございます。",
} as const;

/** The state of the guardian's consent for a minor, and the form that requests it by mail. */
export function GuardianConsent({ state }: { state: keyof typeof words }) {
  return (
    <>
      <Text role="status">{words[state]}</Text>
      {state !== "given" && (
        <Text size="sm">
          保護者の方がコノマナに登録しているときは、
          <TextLink to={paths.settingsGuardian()} inline>
            コードでつながる
          </TextLink>
          と、メールなしで同意がそろいます。
        </Text>
      )}
      {state !== "given" && <AskConsent again={state === "waiting"} />}
    </>
  );
}

function AskConsent({ again }: { again: boolean }) {
  const form = useSchemaForm(schema, {
    initialValues: { name: "", relation: "", email: "" },
  });
  return (
    <SaveForm
      label="保護者の同意"
      form={form}
      save={settings.askConsent}
      onSaved={async () => {
        showBlue("保護者の方にメールをお送りしました。");
        await renewUser();
      }}
      failed="メールを送れませんでした"
      submit={again ? "もう一度メールを送る" : "同意をお願いするメールを送る"}
      busy="送っています…"
    >
      <TextField
        {...form.getInputProps("name")}
        name="guardian-name"
        label="保護者の方のお名前"
        autoComplete="off"
        required
      />
      <SelectField
        {...form.getInputProps("relation")}
        name="guardian-relation"
        label="続柄"
        data={[{ value: "", label: "選んでください" }, ...relations]}
        required
      />
      <EmailField
        {...form.getInputProps("email")}
        name="guardian-email"
        label="保護者の方のメールアドレス"
        description="あなたやほかのお子さまのアカウントのアドレスは使えません。"
        autoComplete="off"
        required
      />
    </SaveForm>
  );
}
