import * as v from "valibot";
import { type Day, formatDay, isBirthDate, parseDay, schoolYears, todayInTokyo } from "./birth";
import { limits } from "./limits";
import { hasControls, holdsLink, lengthOf, plain, toKatakana, withHyphens } from "./text";

/*
 * The validation rule of each field and its output. The error messages are the server's error
 * codes; `fieldSentence` translates them. `cases.json` tests both sides.
 */

/** The maximum length of a mail address (SMTP). */
const ADDRESS_MAX = 254;
const LOCAL_PART_MAX = 64;

/**
 * The WHATWG pattern for e-mail fields, with a dotted domain: `a..b@docomo.ne.jp` is an address.
 */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/**
 * Control and format characters, line separators, emoji, and characters that turn others into
 * emoji.
 */
const UNFIT_FOR_A_NAME =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Extended_Pictographic}\p{Regional_Indicator}\u{FE0F}\u{20E3}]/u;

const KATAKANA = /^[ァ-ヶー・ ]+$/;

/** For an empty field, reported instead of its other errors. */
const required = v.nonEmpty<string, "REQUIRED">("REQUIRED");

function atMost(max: number) {
  return v.check<string, "TOO_LONG">((text) => lengthOf(text) <= max, "TOO_LONG");
}

/** 生年月日: `2011-4-1` becomes `2011-04-01`. */
export function birthDateBy(today: () => Day) {
  return v.pipe(
    v.string(),
    v.transform(plain),
    required,
    v.check((text) => parseDay(text) !== null, "INVALID_FORMAT"),
    v.check((text) => {
      const day = parseDay(text);
      return day !== null && isBirthDate(day, today());
    }, "IMPOSSIBLE_DATE"),
    v.transform((text) => {
      const day = parseDay(text);
      return day === null ? text : formatDay(day);
    }),
  );
}

/** One of several choices. */
export function choiceOf<const Choices extends readonly string[]>(choices: Choices) {
  return v.pipe(v.string(), required, v.picklist(choices, "UNKNOWN_CHOICE"));
}

/** One line of free text, at most `max` characters. */
export function lineOf(max: number) {
  return v.pipe(v.string(), v.transform(plain), required, atMost(max));
}

/** Trimmed free text of `min` to `max` characters. */
export function wordsOf(min: number, max: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    required,
    v.check((text) => lengthOf(text) >= min, "TOO_SHORT"),
    atMost(max),
  );
}

/** お名前 in one field, at most `max` characters in any script, without a link or an address. */
export function nameOf(max: number) {
  return v.pipe(
    wordsOf(1, max),
    v.check((text) => !hasControls(text), "INVALID_FORMAT"),
    v.check((text) => !holdsLink(text), "HOLDS_LINK"),
  );
}

/** SMTP allows 64 characters before the at sign, including the quotes that misplaced dots need. */
function hasLocalPartThatFits(email: string): boolean {
  const [local = ""] = email.split("@");
  const quotes = /^\.|\.\.|\.$/.test(local) ? 2 : 0;
  return local.length + quotes <= LOCAL_PART_MAX;
}

export const rules = {
  /** 姓 and 名, kept exactly as typed. They go into mails, so links and addresses are refused. */
  name: v.pipe(
    v.string(),
    v.check((text) => /[^\s]/.test(text), "REQUIRED"),
    v.check((text) => !UNFIT_FOR_A_NAME.test(text), "INVALID_FORMAT"),
    v.check((text) => !holdsLink(text), "HOLDS_LINK"),
    atMost(limits.name),
  ),

  /** セイ and メイ: any kana, converted to full-width katakana. */
  kana: v.pipe(
    v.string(),
    v.transform(toKatakana),
    required,
    v.regex(KATAKANA, "INVALID_FORMAT"),
    atMost(limits.name),
  ),

  birthDate: birthDateBy(todayInTokyo),

  /** 学年: one of the school years. */
  schoolYear: choiceOf(schoolYears),

  /** 郵便番号: seven digits. */
  postalCode: v.pipe(
    v.string(),
    v.transform(plain),
    required,
    v.transform((text) => withHyphens(text).replace(/^〒+/, "").replaceAll(/[- ]/g, "")),
    v.regex(/^\d{7}$/, "INVALID_FORMAT"),
  ),

  /** メールアドレス; upper case is kept. */
  email: v.pipe(
    v.string(),
    v.transform(plain),
    required,
    atMost(ADDRESS_MAX),
    v.regex(ADDRESS, "INVALID_FORMAT"),
    v.check(hasLocalPartThatFits, "INVALID_FORMAT"),
  ),

  /**
   * A new password: checked for its length only, because an estimate of its strength takes longer.
   */
  newPassword: v.pipe(
    v.string(),
    required,
    v.check((text) => lengthOf(text) >= limits.password.min, "TOO_SHORT"),
    atMost(limits.password.max),
  ),

  /** An existing password: rules for new passwords do not apply to it. */
  password: v.pipe(v.string(), required),

  /** Whether the account is for a learner or a guardian. */
  kind: choiceOf(["learner", "guardian"]),

  /** The six-digit code of a mail. */
  code: v.pipe(
    v.string(),
    v.transform((text) => withHyphens(text).replaceAll(/[- ]/g, "")),
    required,
    v.regex(/^\d{6}$/, "INVALID_FORMAT"),
  ),

  /** 宛名 of a receipt: printed as typed, in any script. */
  addressee: v.pipe(
    wordsOf(1, limits.addressee),
    v.check((text) => !hasControls(text), "INVALID_FORMAT"),
  ),

  /** A required consent. */
  agreement: v.literal(true, "NOT_AGREED"),
};
