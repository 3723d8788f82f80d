/**
 * The kind of a question's answer: one choice, several choices, a number, a short text, or a longer
 * text that people mark.
 */
export type QuestionKind = "single" | "multiple" | "number" | "text" | "written";

export interface Choice {
  id: number;
  text: string;
}

export interface Picture {
  url: string;
  alt: string;
}

/** An answer or a key, in the API's format. A picture is an answer to a question of an exam. */
export type Given = TypedGiven | { picture: string };

/** An answer by the answer fields. */
export type TypedGiven = { choices: number[] } | { number: string } | { text: string };
