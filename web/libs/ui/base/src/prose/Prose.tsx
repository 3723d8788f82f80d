import { Link } from "react-router";
import { classes } from "../layout/classes";
import styles from "./Prose.module.css";
import { type Inline, readProse } from "./read";

interface ProseProps {
  /** In the format of `readProse`. */
  text: string;
  /** The level of its headings, one below that of the heading above it. */
  level?: 2 | 3 | 4;
}

/** A text written by the school, rendered as React elements: it can't inject HTML. */
export function Prose({ text, level = 2 }: ProseProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={classes("kn-text", styles.prose)}>
      {readProse(text).map((block) => {
        if (block.kind === "list")
          return (
            <ul key={block.at}>
              {block.lines.map((line, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the text does not change under the reader
                <li key={index}>
                  <Line line={line} />
                </li>
              ))}
            </ul>
          );
        const Part = block.kind === "heading" ? Heading : "p";
        return (
          <Part key={block.at}>
            <Line line={block.line} />
          </Part>
        );
      })}
    </div>
  );
}

function Line({ line }: { line: readonly Inline[] }) {
  return line.map((part) => {
    if (typeof part === "string") return part;
    const { words, to } = part;
    return to.startsWith("/") ? (
      <Link key={to} to={to}>
        {words}
      </Link>
    ) : (
      <a key={to} href={to} rel="noopener">
        {words}
      </a>
    );
  });
}
