import { ApiError } from "@konomana/http";
import { lengthOf } from "../rules/text";
import type { ZXCVBNResult } from "zxcvbn";

/** How hard a password is to guess: 0 to 4 as zxcvbn counts, and what makes it easy. */
export interface Strength {
  score: number;
  reasons: string[];
}

/** The least score that the server takes. */
export const STRONG_ENOUGH = 3;

/** What a guesser of passwords for this site would try first. */
const SITE_WORDS = [
  "konomana",
  "konomoshi",
  "konoshiki",
  "コノマナ",
  "このまな",
  "コノ模試",
  "コノシキ",
];

const NOTHING: readonly string[] = [];

const KNOWN_WORDS = "名前・メールアドレス・サイト名が入っています。";

/** Guessing takes longer with length, and so does judging; what is beyond adds nothing. */
const JUDGED = 100;

/**
 * Judges a password as the server will, which decides. The dictionaries are large, so they are fetched
 * only when a password is being made.
 *
 * @param against what is known of the person: names, mail address
 */
export async function strengthOf(
  password: string,
  against: readonly string[] = NOTHING,
): Promise<Strength> {
  const { default: judge } = await import("zxcvbn");
  const words = [...SITE_WORDS, ...against.flatMap(wordsOf)].map((word) => word.toLowerCase());
  const tried = password.slice(0, JUDGED);
  const whole = judge(tried, words);
  // Known words, however often and in whatever order, are no secret: the rest has to be one.
  const rest = judge(withoutWords(tried, words), words);
  const score = Math.min(whole.score, rest.score);
  const known = rest.score < whole.score ? [KNOWN_WORDS] : [];
  return { score, reasons: reasonsIn(score, [...known, ...whole.sequence.map(reasonFor)]) };
}

function withoutWords(password: string, words: readonly string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, ""), password.toLowerCase());
}

/** Whether the server would refuse it; false while nobody knows. */
export async function isGuessable(
  password: string,
  against: readonly string[] = NOTHING,
): Promise<boolean> {
  try {
    return (await strengthOf(password, against)).score < STRONG_ENOUGH;
  } catch {
    return false;
  }
}

/** Refuses a new password that the server would refuse, as the server would, without asking it. */
export async function refuseGuessable(
  field: string,
  password: string,
  against: readonly string[] = NOTHING,
): Promise<void> {
  if (!(await isGuessable(password, against))) return;
  const errors = [{ field, code: "GUESSABLE" }];
  throw new ApiError({ status: 400, code: "INVALID", traceId: "", errors });
}

/** A name or an address: whole, what stands before the at sign, and every part. */
function wordsOf(text: string): string[] {
  const [local = ""] = text.split("@");
  return [text, local, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => lengthOf(word) > 1);
}

type Part = ZXCVBNResult["sequence"][number];

/** What each kind of weak part is, in words. */
function reasonFor({ pattern, dictionary_name: dictionary }: Part): string | null {
  switch (pattern as string) {
    case "dictionary":
      if (dictionary === "user_inputs") return KNOWN_WORDS;
      if (dictionary === "passwords") return "よく使われるパスワードに似ています。";
      return "よくある単語や名前が入っています。";
    case "spatial":
      return "キーボードの並び順が入っています。";
    case "repeat":
      return "同じ文字のくり返しが入っています。";
    case "sequence":
      return "「abc」「123」のような続きの文字が入っています。";
    case "regex":
    case "date":
      return "年や日付が入っています。";
    default:
      return null;
  }
}

function reasonsIn(score: number, found: (string | null)[]): string[] {
  if (score >= STRONG_ENOUGH) return [];
  const reasons = found.filter((reason) => reason !== null);
  return reasons.length > 0 ? [...new Set(reasons)] : ["まだ短いようです。文字を足してください。"];
}
