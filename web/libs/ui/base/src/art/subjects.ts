import type { CSSProperties } from "react";

/** The school years of courses, in order. */
export const schoolYears = ["中1", "中2", "中3", "高1", "高2", "高3"] as const;

/** A subject: its name in the catalogue, and its colours. */
export interface Subject {
  readonly name: string;
  /** The id of its drawing in `art.svg`, which repeats the colours below. */
  readonly drawing: string;
  /** For text and strokes; its contrast on `tint` and on white is at least 4.5:1. */
  readonly ink: string;
  /** A light background. */
  readonly tint: string;
  /** A middle tone for shapes, never for text. */
  readonly tone: string;
}

export const subjects: readonly Subject[] = [
  { name: "英語", drawing: "english", ink: "#1c56b8", tint: "#e3efff", tone: "#8dbbff" },
  { name: "数学", drawing: "mathematics", ink: "#6038c2", tint: "#efe9ff", tone: "#b9a2f7" },
  { name: "国語", drawing: "japanese", ink: "#b3203e", tint: "#ffe8ea", tone: "#ff9dab" },
  { name: "理科", drawing: "science", ink: "#0a6b55", tint: "#ddf6ec", tone: "#77d3b2" },
  { name: "社会", drawing: "society", ink: "#8f4a00", tint: "#fff0d2", tone: "#ffc15c" },
];

/** Finds a subject; an unknown one gets neutral colours. */
export function subjectOf(name: string): Subject {
  return (
    subjects.find((subject) => subject.name === name) ?? {
      name,
      drawing: "neutral",
      ink: "#454c5c",
      tint: "#eef0f4",
      tone: "#b5bccb",
    }
  );
}

/** A subject's colours as CSS variables: `--subject-ink` and `--subject-tint`. */
export function subjectColors(name: string): CSSProperties {
  const { ink, tint } = subjectOf(name);
  return { "--subject-ink": ink, "--subject-tint": tint } as CSSProperties;
}
