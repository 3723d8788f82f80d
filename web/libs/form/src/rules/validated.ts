import type { FieldCode } from "@konomana/http";
import * as v from "valibot";
import { fieldSentence, type FormName } from "./fieldSentences";

/**
 * Validates a form's values with a schema of `rules`. Returns the message of each field's first
 * error, with the named form's own messages if it has any.
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
