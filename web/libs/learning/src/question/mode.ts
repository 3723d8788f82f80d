import type { AnswerFor } from "../api";
import type { AnswerMode } from "@konomana/paths";

/** What an answer counts for: the one graded try, a round of practice, or a review. */
export type Mode =
  | { readonly kind: "graded" }
  | { readonly kind: "practice"; readonly result: number }
  | { readonly kind: "review" };

/** The mode that an address names; the graded try where it names none. */
export function modeIn(params: URLSearchParams): Mode {
  const result = params.get("result") ?? "";
  if (/^[1-9]\d{0,14}$/.test(result)) return { kind: "practice", result: Number(result) };
  return { kind: params.get("review") === "true" ? "review" : "graded" };
}

/** The mode as an address says it. */
export function addressOf(mode: Mode): AnswerMode {
  return mode.kind === "practice" ? { result: mode.result } : { review: mode.kind === "review" };
}

/** The mode as the server is told. */
export function sentAs(mode: Mode): AnswerFor {
  return mode.kind === "practice" ? { result: mode.result } : { review: mode.kind === "review" };
}

/** A name for a question in a mode: one answer belongs to it. */
export function turnOf(question: number, mode: Mode): string {
  return `${question}-${mode.kind === "practice" ? mode.result : mode.kind}`;
}
