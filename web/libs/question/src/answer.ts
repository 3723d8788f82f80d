import type { Choice, Given, QuestionKind, TypedGiven } from "./question";

/** The input of a question. A question uses only one of the fields. */
export interface Answer {
  /** The ids of the chosen choices. */
  chosen: number[];
  /** A number or a text. The server uses this field name in its errors. */
  answer: string;
}

export const nothing: Answer = { chosen: [], answer: "" };

/**
 * Normalizes a typed number: `－１，２００` is -1,200, and `½` is 1/2. Input that would turn into other
 * digits, like `2²`, stays unchanged.
 */
export function plainNumber(typed: string): string {
  return typed
    .replaceAll(/[\uff01-\uff5e\u3000]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll(/[\u2010-\u2015\u2212\u2500\u2501ーｰ]/g, "-")
    .replaceAll(/(?<!\d)[¼-¾⅐-⅞]/g, (fraction) => fraction.normalize("NFKC"))
    .replaceAll(/[\u2044\u2215]/g, "/")
    .replaceAll(" ", "");
}

/** The answer to a question in the API's format. */
export function givenOf(kind: QuestionKind, { chosen, answer }: Answer): TypedGiven {
  if (kind === "number") return { number: plainNumber(answer) };
  if (kind === "text" || kind === "written") return { text: answer.trim() };
  return { choices: chosen };
}

/** Converts a sent answer to the values of its fields: of none and of a picture, empty ones. */
export function answerOf(given: Given | null): Answer {
  if (given === null || "picture" in given) return nothing;
  if ("choices" in given) return { ...nothing, chosen: given.choices };
  return { ...nothing, answer: "number" in given ? given.number : given.text };
}

/** The values of a draft that fit this question, because its choices may have changed. */
export function readDraft({ chosen, answer }: Partial<Answer>, offered: readonly Choice[]): Answer {
  const known = new Set(offered.map(({ id }) => id));
  return {
    chosen: Array.isArray(chosen) ? chosen.filter((id) => known.has(id)) : [],
    answer: typeof answer === "string" ? answer : "",
  };
}
