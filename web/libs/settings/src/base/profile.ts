import { limits, rules } from "@konomana/form";
import * as v from "valibot";

/** The form values of a profile. An empty school year follows from the birth date. */
export interface TypedProfile {
  last_name: string;
  first_name: string;
  last_name_kana: string;
  first_name_kana: string;
  birth_date: string;
  school_year: string;
  school_name: string;
  news: boolean;
}

/** Validates the form values and converts them for the server. */
export const profileSchema = v.object({
  last_name: rules.name,
  first_name: rules.name,
  last_name_kana: rules.kana,
  first_name_kana: rules.kana,
  birth_date: rules.birthDate,
  school_year: v.pipe(
    v.string(),
    v.transform((year) => (year === "" ? null : year)),
    v.nullable(rules.schoolYear),
  ),
  school_name: v.pipe(v.string(), v.trim(), v.maxLength(limits.schoolName, "TOO_LONG")),
  news: v.boolean(),
});
