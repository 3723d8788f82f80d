import { Grid } from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import type { FieldProps } from "./props";
import { useReading } from "./useReading";

interface NameFieldsProps {
  lastName: FieldProps;
  firstName: FieldProps;
  lastNameKana: FieldProps;
  firstNameKana: FieldProps;
}

/**
 * 姓 and 名 with their kana. Browsers autofill names but have no autofill for kana, so the kana come
 * from the input method while the name is typed.
 */
export function NameFields({ lastName, firstName, lastNameKana, firstNameKana }: NameFieldsProps) {
  const last = useReading(lastName, lastNameKana);
  const first = useReading(firstName, firstNameKana);
  return (
    <>
      <Grid cols={2} gap="sm">
        <TextField
          {...lastName}
          {...last}
          name="last_name"
          label="姓"
          autoComplete="family-name"
          required
        />
        <TextField
          {...firstName}
          {...first}
          name="first_name"
          label="名"
          autoComplete="given-name"
          required
        />
      </Grid>
      <Grid cols={2} gap="sm">
        <KanaField {...lastNameKana} name="last_name_kana" label="セイ（フリガナ）" />
        <KanaField {...firstNameKana} name="first_name_kana" label="メイ（フリガナ）" />
      </Grid>
    </>
  );
}

function KanaField(props: FieldProps & { name: string; label: string }) {
  return (
    <TextField
      {...props}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      autoComplete="off"
      required
    />
  );
}
