import type { FieldCode } from "@konomana/http";
import * as v from "valibot";
import { fieldSentence, type FormName } from "./fieldSentences";

/**
 * Judges a form's values by a schema of `rules`: the first fault of each field, in words; in those of the named form
 * where it has its own.
 */
export function validated(schema: v.GenericSchema, form?: FormName) {
  return (values: unknown): Record<string, string> => {
    const { issues = [] } = v.safeParse(schema, values, { abortPipeEarly: true });
    return Object.fromEntries(
      issues.map((issue) => {
        const field = v.getDotPath(issue) ?? "";
        return [field, fieldSentence(field, issue.message as FieldCode, form)];
      }),
    );
  };
}
