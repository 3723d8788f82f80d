import { AgreementField } from "@konomana/form";
import { Stack, Text, Title, Panel } from "@konomana/ui-base";
import { EmailField, SelectField, TextField } from "@konomana/ui-kit";
import type { UseFormReturnType } from "@mantine/form";
import { type Person, relations } from "./person";

/**
 * The fields for the guardian of a minor, whose consent is needed before a purchase. They can be
 * filled in later.
 */
export function GuardianFields({ form }: { form: UseFormReturnType<Person> }) {
  return (
    <Panel as="section" variant="tint" pad="1.25rem" gap="sm" aria-labelledby="guardian">
      <Title order={2} size="h4" id="guardian">
        保護者の方について
      </Title>
      <Text size="sm">
        18歳未満の方は、講座を購入する前に、保護者の方の同意が必要です。メールでお願いします。あとから設定の画面でもできます。
      </Text>
      <AgreementField
        {...form.getInputProps("with_guardian", { type: "checkbox" })}
        name="with_guardian"
        label="いま、保護者の方に確認メールを送る"
      />
      {form.values.with_guardian && (
        <Stack gap="lg">
          <TextField
            {...form.getInputProps("guardian_name")}
            name="guardian_name"
            label="保護者の方のお名前"
            autoComplete="off"
            required
          />
          <SelectField
            {...form.getInputProps("guardian_relation")}
            name="guardian_relation"
            label="続柄"
            data={[{ value: "", label: "選んでください" }, ...relations]}
          />
          <EmailField
            {...form.getInputProps("guardian_email")}
            name="guardian_email"
            label="保護者の方のメールアドレス"
            autoComplete="off"
            required
          />
        </Stack>
      )}
    </Panel>
  );
}
