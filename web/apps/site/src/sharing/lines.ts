const words = new Intl.Segmenter("ja", { granularity: "word" });

/** Characters that must not begin a line. */
const CLINGS = /^[、。，．・：；？！ー」』）】〉》ぁぃぅぇぉっゃゅょァィゥェォッャュョ%～〜]/;

/** The width of a text in full-width characters. Other characters count as about half. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + (letter < "\u02af" ? 0.58 : 1), 0);
}

/**
 * Breaks text between words into lines of at most `width` full-width characters. Line number `most`
 * takes the rest.
 */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [""];
  for (const { segment } of words.segment(text)) {
    const line = lines.at(-1) ?? "";
    const fits = widthOf(line + segment) <= width || CLINGS.test(segment) || line === "";
    if (fits || lines.length === most) lines[lines.length - 1] = line + segment;
    else lines.push(segment.trimStart());
  }
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
