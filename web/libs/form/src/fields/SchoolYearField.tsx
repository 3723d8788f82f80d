import { Button, Panel } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { isBirthDate, parseDay, schoolYearOf, schoolYears, todayInTokyo } from "../rules/birth";
import type { FieldProps } from "./props";

/** What is asked where the year is not the one that follows from the birth date. */
const MISMATCH = "生年月日と学年が一致しません。この内容でよろしいですか？";

interface SchoolYearFieldProps extends FieldProps {
  /** What is typed of the birth date so far. */
  birthDate: string;
}

/** The year that follows from a birth date as it is typed; empty while there is none. */
export function schoolYearFrom(birthDate: string, today = todayInTokyo()): string {
  const birth = parseDay(birthDate);
  return birth && isBirthDate(birth, today) ? (schoolYearOf(birth, today) ?? "") : "";
}

/**
 * 学年: worked out while the birth date is typed. Who chooses another is asked whether it is meant so,
 * and may go on. An empty value is the year that follows from the birth date.
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
