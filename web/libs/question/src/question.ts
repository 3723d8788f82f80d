/** How a question is answered: by one choice, by several, by a number, or by words. */
export type QuestionKind = "single" | "multiple" | "number" | "text";

export interface Choice {
  id: number;
  text: string;
}

export interface Picture {
  url: string;
  alt: string;
}

/** An answer or a key, as the API has it. */
export type Given = { choices: number[] } | { number: string } | { text: string };
