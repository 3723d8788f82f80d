import { type FormName, limits, validated } from "@konomana/form";
import * as v from "valibot";
import type { Choice, Given, QuestionKind } from "./question";

/** What is chosen or typed; of one question it is only one of them. */
export interface Answer {
  /** Ids of choices. */
  chosen: number[];
  /** A number or words, by the name that the server gives to what is wrong with it. */
  answer: string;
}

export const nothing: Answer = { chosen: [], answer: "" };

/**
 * A number as it is sent: `－１，２００` is -1,200, and `½` is 1/2. What would turn into other digits than one sees, like
 * `2²`, stays as it is.
 */
export function plainNumber(typed: string): string {
  return typed
    .replaceAll(/[\uff01-\uff5e\u3000]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/[\u2010-\u2015\u2212\u2500\u2501ーｰ]/g, "-")
    .replaceAll(/(?<!\d)[¼-¾⅐-⅞]/g, (fraction) => fraction.normalize("NFKC"))
    .replaceAll(/[\u2044\u2215]/g, "/")
    .replaceAll(" ", "");
}

/** A whole number, a decimal or a fraction, with a sign where there is one. */
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
};

/** The forms whose field `answer` has sentences of its own. */
export const answerForms: Partial<Record<QuestionKind, FormName>> = {
  number: "number",
  text: "text",
};

/** What is wrong with an answer before anybody is asked, in words. */
export function validatorOf(kind: QuestionKind) {
  return validated(schemas[kind], answerForms[kind]);
}

/** The answer to a question of a kind, as it is sent. */
export function givenOf(kind: QuestionKind, { chosen, answer }: Answer): Given {
  if (kind === "number") return { number: plainNumber(answer) };
  if (kind === "text") return { text: answer.trim() };
  return { choices: chosen };
}

/** An answer that was sent, as its fields show it; `null` is none. */
export function answerOf(given: Given | null): Answer {
  if (given === null) return nothing;
  if ("choices" in given) return { ...nothing, chosen: given.choices };
  return { ...nothing, answer: "number" in given ? given.number : given.text };
}

/** What stands in a draft that this question can have: its choices may have changed. */
export function readDraft({ chosen, answer }: Partial<Answer>, offered: readonly Choice[]): Answer {
  const known = new Set(offered.map(({ id }) => id));
  return {
    chosen: Array.isArray(chosen) ? chosen.filter((id) => known.has(id)) : [],
    answer: typeof answer === "string" ? answer : "",
  };
}
