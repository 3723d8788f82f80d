import { rules, useSchemaForm } from "@konomana/form";
import { SaveForm } from "@konomana/query";
import { useSession } from "@konomana/session";
import { showBlue } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { orders, receiptQuery } from "../api";

const schema = v.object({ addressee: rules.addressee });

interface AddresseeFormProps {
  /** The order's identifier. */
  id: string;
  /** The current addressee. If the receipt was never issued, the buyer's own name is suggested. */
  addressee?: string;
  submit: string;
  onIssued?: () => void;
}

/** The form for the addressee of a receipt. Submitting it issues the receipt. */
export function AddresseeForm({ id, addressee, submit, onIssued }: AddresseeFormProps) {
  const queries = useQueryClient();
  const { user } = useSession();
  const own = user === null ? "" : `${user.last_name} ${user.first_name}`;
  const form = useSchemaForm(schema, { initialValues: { addressee: addressee ?? own } });
  return (
    <SaveForm
      label="領収書の宛名"
      form={form}
      save={(values) => orders.issueReceipt(id, values.addressee)}
      onSaved={(receipt) => {
        queries.setQueryData(receiptQuery(id).queryKey, receipt);
        showBlue("領収書を発行しました。");
        onIssued?.();
      }}
      failed="領収書を発行できませんでした"
      submit={submit}
      busy="発行しています…"
    >
      <TextField
        {...form.getInputProps("addressee")}
        name="addressee"
        label="宛名（「様」は自動でつきます）"
        description="60文字まで。お名前や会社名を入力してください。"
        autoComplete="off"
        required
      />
    </SaveForm>
  );
}
