import { safeParse, type GenericSchema } from "valibot";
import { describe, expect, test } from "vitest";
import cases from "../cases.json";
import { phone } from "../phone/phone";
import { parseDay, schoolYearOf, type Day } from "./birth";
import { birthDateBy, rules } from "./rules";

interface Case {
  field: string;
  typed: string | boolean;
  context?: { today?: string };
  value?: string | boolean | null;
  error?: string;
  why: string;
}

function dayOf(text: string | undefined): Day {
  const day = parseDay(text ?? "");
  if (!day) throw new Error("The case names no day.");
  return day;
}

/** The rule for a field name of the table. */
function schemaOf({ field, context }: Case): GenericSchema | undefined {
  const schemas: Record<string, GenericSchema> = {
    name: rules.name,
    kana: rules.kana,
    birth_date: birthDateBy(() => dayOf(context?.today)),
    postal_code: rules.postalCode,
    phone,
    email: rules.email,
    password: rules.newPassword,
    kind: rules.kind,
    school_year_choice: rules.schoolYear,
    terms: rules.agreement,
  };
  return schemas[field];
}

/** The site's result for a case: the value to send, or the error. */
function outcome(given: Case): { value: unknown } | { error: string } {
  const { field, typed, context = {} } = given;
  if (field === "school_year")
    return { value: schoolYearOf(dayOf(String(typed)), dayOf(context.today)) };
  const schema = schemaOf(given);
  if (!schema) throw new Error(`No rule exists for ${field}.`);
  const result = safeParse(schema, typed, { abortPipeEarly: true });
  return result.success ? { value: result.output } : { error: result.issues[0].message };
}

const fields = Map.groupBy(cases as Case[], ({ field }) => field);
// Only the server estimates the strength of a password.
fields.delete("password_strength");

describe.each([...fields.keys()])("%s", (field) => {
  test.each(fields.get(field) ?? [])("$typed: $why", (given) => {
    const { value, error } = given;
    expect(outcome(given)).toEqual(error === undefined ? { value } : { error });
  });
});
