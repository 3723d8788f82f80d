import type { Choice, Given, QuestionKind } from "@konomana/api";
import { validated } from "@konomana/form";
import * as v from "valibot";

/** What is typed or chosen; the fields are called as the server calls them. */
export interface Answer {
  answer_choices: number[];
  answer_number: string;
  answer_text: string;
}

export const nothing: Answer = { answer_choices: [], answer_number: "", answer_text: "" };

/** The longest answer in words that the server takes. */
const TEXT_MAX = 200;

/** Everything that people write where a minus belongs. */
const MINUS = /[\u2010-\u2015\u2212\u2500ー]/g;

/** A number as it is sent: `－１，２００` is -1,200, and `½` is 1/2. */
export function plainNumber(typed: string): string {
  return typed
    .normalize("NFKC")
    .replaceAll(MINUS, "-")
    .replaceAll("\u2044", "/")
    .replaceAll(" ", "");
}

const PART = String.raw`(?:\d[\d,]*(?:\.\d*)?|\.\d+)`;
/** A whole number, a decimal or a fraction, with a sign where there is one. */
const NUMBER = new RegExp(`^[+-]?${PART}(?:/${PART})?$`);

const schemas = {
  single: v.object({ answer_choices: v.pipe(v.array(v.number()), v.minLength(1, "REQUIRED")) }),
  multiple: v.object({ answer_choices: v.pipe(v.array(v.number()), v.minLength(1, "REQUIRED")) }),
  number: v.object({
    answer_number: v.pipe(
      v.string(),
      v.transform(plainNumber),
      v.nonEmpty("REQUIRED"),
      v.regex(NUMBER, "INVALID_FORMAT"),
    ),
  }),
  text: v.object({
    answer_text: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty("REQUIRED"),
      v.maxLength(TEXT_MAX, "TOO_LONG"),
    ),
  }),
} satisfies Record<QuestionKind, v.GenericSchema>;

/** What is wrong with an answer before anybody is asked, in words. */
export function validatorOf(kind: QuestionKind) {
  return validated(schemas[kind]);
}

/** The answer to a question of a kind, as it is sent. */
export function givenOf(kind: QuestionKind, answer: Answer): Given {
  if (kind === "number") return { number: plainNumber(answer.answer_number) };
  if (kind === "text") return { text: answer.answer_text.trim() };
  return { choices: answer.answer_choices };
}

/** What stands in a draft that this question can have; one whose choices are gone is empty. */
export function readDraft(kept: Partial<Answer>, choices: readonly Choice[]): Answer {
  const { answer_choices, answer_number, answer_text } = kept;
  const known = new Set(choices.map(({ id }) => id));
  return {
    answer_choices: Array.isArray(answer_choices)
      ? answer_choices.filter((id) => known.has(id))
      : [],
    answer_number: typeof answer_number === "string" ? answer_number : "",
    answer_text: typeof answer_text === "string" ? answer_text : "",
  };
}

/** Ids of the choices that an answer or a key holds. */
export function choicesIn(given: Given | null): readonly number[] {
  return given !== null && "choices" in given ? given.choices : [];
}

/** An answer or a key of typed ones, as it is shown. */
export function wordsOf(given: Given): string {
  if ("number" in given) return given.number;
  return "text" in given ? given.text : "";
}
