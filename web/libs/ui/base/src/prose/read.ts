/** A text, or a link with its text. */
export type Inline = string | { readonly words: string; readonly to: string };

/** A block of a text; `at` is its line number, which is unique. */
export type Block = { readonly at: number } & (
  | { readonly kind: "heading" | "paragraph"; readonly line: readonly Inline[] }
  | { readonly kind: "list"; readonly lines: readonly (readonly Inline[])[] }
);

/** `[words](/path)` or `[words](https://…)`. Other brackets are plain text. */
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

/** The kind of a line; null if it is empty. */
function kindOf(line: string): Block["kind"] | null {
  if (line === "") return null;
  if (line.startsWith("## ")) return "heading";
  return line.startsWith("- ") ? "list" : "paragraph";
}

/**
 * Parses the text format of notices, answers and descriptions: paragraphs separated by an empty
 * line, list items that begin with `- `, headings that begin with `## `, and links. Lines of one
 * paragraph are joined without a space, as in Japanese.
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

/** The text without its marks, as one line for descriptions and search engines. */
export function plainText(text: string): string {
  return readProse(text)
    .flatMap((block) => (block.kind === "list" ? block.lines.map(wordsOf) : [wordsOf(block.line)]))
    .join(" ");
}
