import type { AnswerFor } from "../api";
import type { AnswerMode } from "@konomana/paths";

/** What an answer counts for: the one graded try, a round of practice, or a review. */
export type Mode =
  | { readonly kind: "graded" }
  | { readonly kind: "practice"; readonly result: number }
  | { readonly kind: "review" };

/** The mode in an address; the graded try by default. */
export function modeIn(params: URLSearchParams): Mode {
  const result = params.get("result") ?? "";
  if (/^[1-9]\d{0,14}$/.test(result)) return { kind: "practice", result: Number(result) };
  return { kind: params.get("review") === "true" ? "review" : "graded" };
}

/** The mode as query parameters of an address. */
export function addressOf(mode: Mode): AnswerMode {
  return mode.kind === "practice" ? { result: mode.result } : { review: mode.kind === "review" };
}

/** The mode as the server expects it. */
export function sentAs(mode: Mode): AnswerFor {
  return mode.kind === "practice" ? { result: mode.result } : { review: mode.kind === "review" };
}

/** Identifies a question in a mode, which has one draft. */
export function turnOf(question: number, mode: Mode): string {
  return `${question}-${mode.kind === "practice" ? mode.result : mode.kind}`;
}
