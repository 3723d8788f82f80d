import { addressQuery } from "@konomana/session";
import { settings, type Address } from "../api";
import { SaveForm } from "@konomana/query";
import { PostalCodeField, prefectures, useSchemaForm } from "@konomana/form";
import { nationalPhone, PhoneField } from "@konomana/form/phone";
import { showBlue } from "@konomana/ui-base";
import { SelectField, TextField } from "@konomana/ui-kit";
import { useQueryClient } from "@tanstack/react-query";
import { addressSchema, filledWith, type Place } from "./address";
import { Towns } from "./Towns";

/** The form for the address. A postal code fills in prefecture and town. */
export function AddressForm({ known }: { known: Address }) {
  const queries = useQueryClient();
  const form = useSchemaForm(addressSchema, {
    initialValues: typedFrom(known),
  });
  const field = (name: keyof Address) => form.getInputProps(name);
  const fill = (place: Place) => form.setValues(filledWith(place, form.getValues()));
  return (
    <SaveForm
      label="住所と電話番号"
      form={form}
      save={settings.saveAddress}
      onSaved={(saved) => {
        queries.setQueryData(addressQuery.queryKey, saved);
        form.setValues(typedFrom(saved));
        showBlue("住所と電話番号を保存しました。");
      }}
      failed="保存できませんでした"
      submit="保存する"
      busy="保存しています…"
    >
      <PostalCodeField {...field("postal_code")} />
      <Towns typed={form.values.postal_code} known={known.postal_code} onFound={fill} />
      <SelectField
        {...field("prefecture")}
        name="prefecture"
        label="都道府県"
        autoComplete="address-level1"
        data={[{ value: "", label: "選んでください" }, ...prefectures]}
      />
      <TextField
        {...field("city")}
        name="city"
        label="市区町村"
        placeholder="千代田区"
        autoComplete="address-level2"
      />
      <TextField
        {...field("town")}
        name="town"
        label="町名・番地"
        placeholder="霞が関1-3-2"
        autoComplete="address-line1"
      />
      <TextField
        {...field("building")}
        name="building"
        label="建物名・部屋番号（なければ空のまま）"
        autoComplete="address-line2"
      />
      <PhoneField {...field("phone")} />
    </SaveForm>
  );
}

function typedFrom(known: Address): Address {
  const { postal_code: code } = known;
  return {
    ...known,
    postal_code: code === "" ? "" : `${code.slice(0, 3)}-${code.slice(3)}`,
    phone: nationalPhone(known.phone),
  };
}
