/** Everything that people write where a dash belongs: hyphens, minus signs, lines, the long vowel mark. */
const DASHES = /[-\u2010-\u2015\u2212\u2500\u2501ー]/g;

/** In one width (NFKC), without the spaces around it. */
export function plain(typed: string): string {
  return typed.normalize("NFKC").replaceAll(/^ +| +$/g, "");
}

/** The same with all that looks like a dash as `-`. */
export function withHyphens(typed: string): string {
  return plain(typed).replaceAll(DASHES, "-");
}

/** Hiragana and half-width kana as katakana; a dash among them is the long vowel mark. */
export function toKatakana(typed: string): string {
  return plain(typed)
    .replaceAll(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
    .replaceAll(DASHES, "ー");
}

/**
 * What mail programs make a link of: a scheme, `www.`, an address, a dot between a label and letters like those of a
 * top-level domain, an IPv4 address. After a single letter only with something behind it: `J.Smith` is a name.
 */
const LINK =
  /:\/\/|www[.。]|@|[\p{L}\p{N}_-]{2}[.。][a-z]{2}|[\p{L}\p{N}_-][.。][a-z]{2,}[/:?#]|[0-9]{1,3}(?:\.[0-9]{1,3}){3}/u;

/** Whether a text has one, in any width. Names that go into mails must not. */
export function holdsLink(typed: string): boolean {
  return LINK.test(typed.normalize("NFKC").toLowerCase());
}

/** Whether a text has control or format characters, such as those that turn the direction of writing. */
export function hasControls(typed: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(typed);
}

/** How many characters a person counts, not how many units they take in memory. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
