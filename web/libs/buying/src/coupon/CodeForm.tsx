import { limits, lineOf, useSchemaForm } from "@konomana/form";
import { SaveForm } from "@konomana/query";
import { TitledPanel } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { type Coupon, couponKeys, coupons } from "../api";

const schema = v.object({ code: lineOf(limits.couponCode) });

interface CodeFormProps {
  onClaimed: (coupon: Coupon) => void;
}

/** The form for a coupon code. Errors are shown beside the field, and the input stays. */
export function CodeForm({ onClaimed }: CodeFormProps) {
  const queries = useQueryClient();
  const form = useSchemaForm(schema, {
    initialValues: { code: "" },
    sentences: "coupon",
    // The only field: leaving it empty is not an error.
    validateInputOnBlur: false,
  });
  return (
    <TitledPanel gap="sm" title="クーポンコードを入力する">
      <SaveForm
        label="クーポンコード"
        form={form}
        save={({ code }) => coupons.claim(code)}
        onSaved={async (coupon) => {
          form.reset();
          await queries.invalidateQueries({ queryKey: couponKeys.all });
          onClaimed(coupon);
        }}
        failed="クーポンを追加できませんでした"
        submit="追加する"
        busy="確かめています…"
        sentences="coupon"
      >
        <TextField
          {...form.getInputProps("code")}
          name="coupon-code"
          label="クーポンコード"
          description="大文字と小文字、全角と半角は、どちらでもかまいません。"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
      </SaveForm>
    </TitledPanel>
  );
}
