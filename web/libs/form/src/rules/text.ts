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

/** How many characters a person counts, not how many units they take in memory. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
