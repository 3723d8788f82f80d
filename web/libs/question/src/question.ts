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

/** An answer or a key, in the API's format. */
export type Given = { choices: number[] } | { number: string } | { text: string };
