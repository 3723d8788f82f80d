/** A stretch of a text: plain words, or TeX that stood between dollar signs. */
export interface Piece {
  readonly kind: "words" | "tex";
  readonly text: string;
  /** Where it begins in the text. */
  readonly at: number;
}

/** TeX on one line between two dollar signs; `\$` is a dollar, inside and outside. */
const TEX = /(?<!\\)\$((?:\\.|[^$\\\n])+)\$/g;

/** Words and TeX in their order. A dollar sign without its other one is a dollar. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const say = (to: number) => {
    const words = text.slice(from, to).replaceAll(String.raw`\$`, "$");
    if (words !== "") pieces.push({ kind: "words", text: words, at: from });
  };
  for (const found of text.matchAll(TEX)) {
    say(found.index);
    pieces.push({ kind: "tex", text: found[1] ?? "", at: found.index });
    from = found.index + found[0].length;
  }
  say(text.length);
  return pieces;
}
