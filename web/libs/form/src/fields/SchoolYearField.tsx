import { Button, Panel } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { isBirthDate, parseDay, schoolYearOf, schoolYears, todayInTokyo } from "../rules/birth";
import type { FieldProps } from "./props";

/** Question for a year that does not follow from the birth date. */
const MISMATCH = "生年月日と学年が一致しません。この内容でよろしいですか？";

interface SchoolYearFieldProps extends FieldProps {
  /** The birth date as typed so far. */
  birthDate: string;
}

/** The school year for a typed birth date; empty if the date is incomplete or invalid. */
export function schoolYearFrom(birthDate: string, today = todayInTokyo()): string {
  const birth = parseDay(birthDate);
  return birth && isBirthDate(birth, today) ? (schoolYearOf(birth, today) ?? "") : "";
}

/**
 * 学年, derived from the birth date while it is typed. Another choice asks for confirmation, and may
 * be kept. An empty value stands for the derived year.
 */
export function SchoolYearField({ birthDate, value = "", ...field }: SchoolYearFieldProps) {
  const follows = schoolYearFrom(birthDate);
  const differs = value !== "" && follows !== "" && value !== follows;
  return (
    <div>
      <SelectField
        {...field}
        name="school_year"
        label="学年"
        description="生年月日から自動で入ります。ちがうときは選び直してください。"
        value={value === "" ? follows : value}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          field.onChange(chosen === follows ? "" : chosen);
        }}
        data={[{ value: "", label: "選んでください" }, ...schoolYears]}
      />
      <div role="status">
        {differs && (
          <Panel
            variant="tint"
            pad="0.75rem 1rem"
            gap="0.5rem"
            align="start"
            mt="0.5rem"
            className="kn-fine"
          >
            <p>{MISMATCH}</p>
            <Button variant="default" size="sm" onClick={() => field.onChange("")}>
              「{follows}」に戻す
            </Button>
          </Panel>
        )}
      </div>
    </div>
  );
}
