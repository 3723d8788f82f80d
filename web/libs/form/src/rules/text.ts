/**
 * All characters that people type as a hyphen: hyphens, minus signs, lines, the long vowel mark.
 */
const DASHES = /[-\u2010-\u2015\u2212\u2500\u2501ー]/g;

/** Normalizes width (NFKC) and trims spaces. */
export function plain(typed: string): string {
  return typed.normalize("NFKC").replaceAll(/^ +| +$/g, "");
}

/** Like `plain`, with every hyphen-like character as `-`. */
export function withHyphens(typed: string): string {
  return plain(typed).replaceAll(DASHES, "-");
}

/** Converts hiragana and half-width kana to katakana; a hyphen becomes the long vowel mark. */
export function toKatakana(typed: string): string {
  return plain(typed)
    .replaceAll(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
    .replaceAll(DASHES, "ー");
}

/**
 * Text that mail programs turn into a link: a scheme, `www.`, an address, an IPv4 address, or a dot
 * between a label and letters like those of a top-level domain. After a single letter it needs a
 * following separator: `J.Smith` is a name.
 */
const LINK =
  /:\/\/|www[.。]|@|[\p{L}\p{N}_-]{2}[.。][a-z]{2}|[\p{L}\p{N}_-][.。][a-z]{2,}[/:?#]|[0-9]{1,3}(?:\.[0-9]{1,3}){3}/u;

/** Whether a text contains a link, in any width. Names that go into mails must not. */
export function holdsLink(typed: string): boolean {
  return LINK.test(typed.normalize("NFKC").toLowerCase());
}

/**
 * Whether a text has control or format characters, such as those that change the writing direction.
 */
export function hasControls(typed: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(typed);
}

/** Length in code points, not in UTF-16 code units. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
