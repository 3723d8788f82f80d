import { type FormName, limits, validated } from "@konomana/form";
import * as v from "valibot";
import { plainNumber } from "./answer";
import type { QuestionKind } from "./question";

/** An integer, a decimal or a fraction, with an optional sign. */
const NUMBER = /^[+-]?(?:\d[\d,]*\/\d[\d,]*|\d[\d,]*(?:\.\d+)?|\.\d+)$/;

const choices = v.object({ chosen: v.pipe(v.array(v.number()), v.minLength(1, "REQUIRED")) });

const schemas: Record<QuestionKind, v.GenericSchema> = {
  single: choices,
  multiple: choices,
  number: v.object({
    answer: v.pipe(
      v.string(),
      v.transform(plainNumber),
      v.nonEmpty("REQUIRED"),
      v.regex(NUMBER, "INVALID_FORMAT"),
    ),
  }),
  text: v.object({
    answer: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty("REQUIRED"),
      v.maxLength(limits.answer, "TOO_LONG"),
    ),
  }),
  written: v.object({ answer: v.pipe(v.string(), v.trim(), v.nonEmpty("REQUIRED")) }),
};

/** The forms with specific messages for the field `answer`. */
export const answerForms: Partial<Record<QuestionKind, FormName>> = {
  number: "number",
  text: "text",
  written: "text",
};

/** Client-side validation of an answer. */
export function validatorOf(kind: QuestionKind) {
  return validated(schemas[kind], answerForms[kind]);
}
