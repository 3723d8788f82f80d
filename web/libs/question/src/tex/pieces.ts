/** A part of a text: plain words, or TeX between dollar signs. */
export interface Piece {
  readonly kind: "words" | "tex";
  readonly text: string;
  /** The index of its start in the text. */
  readonly at: number;
}

/**
 * TeX on one line between two dollar signs, or between two pairs of them. `\$` is a literal dollar,
 * inside and outside.
 */
const TEX = /(?<!\\)(\$\$?)((?:\\.|[^$\\\n])+)\1/g;

/** Splits a text into words and TeX, in order. An unmatched dollar sign is literal. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const say = (to: number) => {
    const words = text.slice(from, to).replaceAll(String.raw`\$`, "$");
    if (words !== "") pieces.push({ kind: "words", text: words, at: from });
  };
  for (const found of text.matchAll(TEX)) {
    say(found.index);
    pieces.push({ kind: "tex", text: found[2] ?? "", at: found.index });
    from = found.index + found[0].length;
  }
  say(text.length);
  return pieces;
}
