/** Words, or words that lead somewhere. */
export type Inline = string | { readonly words: string; readonly to: string };

/** A part of a text; `at` is its line, which no other part of the text has. */
export type Block = { readonly at: number } & (
  | { readonly kind: "heading" | "paragraph"; readonly line: readonly Inline[] }
  | { readonly kind: "list"; readonly lines: readonly (readonly Inline[])[] }
);

/** `[words](/path)` or `[words](https://…)`. Anything else in brackets is text. */
const LINK = /\[([^\]\n]+)\]\((\/(?![/\\])[^\s()]*|https:\/\/[^\s()]+)\)/g;

function readLine(text: string): Inline[] {
  const line: Inline[] = [];
  let done = 0;
  for (const found of text.matchAll(LINK)) {
    const [whole, words = "", to = ""] = found;
    if (found.index > done) line.push(text.slice(done, found.index));
    line.push({ words, to });
    done = found.index + whole.length;
  }
  if (done < text.length) line.push(text.slice(done));
  return line;
}

/** What a line of a text is; null where it is empty. */
function kindOf(line: string): Block["kind"] | null {
  if (line === "") return null;
  if (line.startsWith("## ")) return "heading";
  return line.startsWith("- ") ? "list" : "paragraph";
}

/**
 * Reads the text format of notices, answers and descriptions: paragraphs parted by an empty line, lines that begin with
 * `- `, headings that begin with `## `, and links. Lines of one paragraph are one, as Japanese has no space between them.
 */
export function readProse(text: string): Block[] {
  const parts: { kind: Block["kind"]; at: number; lines: string[] }[] = [];
  let last: Block["kind"] | null = null;
  for (const [at, written] of text.split("\n").entries()) {
    const line = written.trim();
    const kind = kindOf(line);
    if (kind !== null) {
      if (kind !== last || kind === "heading") parts.push({ kind, at, lines: [] });
      parts.at(-1)?.lines.push(line.replace(/^(?:-|##) /, ""));
    }
    last = kind;
  }
  return parts.map(({ kind, at, lines }) =>
    kind === "list"
      ? { kind, at, lines: lines.map(readLine) }
      : { kind, at, line: readLine(lines.join("")) },
  );
}

function wordsOf(line: readonly Inline[]): string {
  return line.map((part) => (typeof part === "string" ? part : part.words)).join("");
}

/** The same text without its marks, as one line: for descriptions and search engines. */
export function plainText(text: string): string {
  return readProse(text)
    .flatMap((block) => (block.kind === "list" ? block.lines.map(wordsOf) : [wordsOf(block.line)]))
    .join(" ");
}
