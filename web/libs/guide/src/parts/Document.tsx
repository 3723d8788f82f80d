import { Head, Note, Stack } from "@konomana/ui-base";
import { Fragment, type ReactNode } from "react";
import styles from "./Document.module.css";

/** A numbered part of a document. */
export interface Clause {
  readonly title: string;
  readonly body: ReactNode;
}

interface DocumentProps {
  title: string;
  description: string;
  /** Since when it holds, and when it was last changed, as it is shown. */
  dates: string;
  lead: ReactNode;
  /** The whole of it in a few lines, for who has two minutes. */
  brief: readonly ReactNode[];
  clauses: readonly Clause[];
}

/** A text with legal force: what it says in brief, its table of contents, clause by clause. */
export function Document({ title, description, dates, lead, brief, clauses }: DocumentProps) {
  return (
    <article className={styles.document}>
      <Head title={title} description={description} />
      <h1>{title}</h1>
      <Note mt="0.5rem">{dates}</Note>
      <p className={styles.lead}>{lead}</p>
      <section className={styles.brief} aria-labelledby="brief">
        <h2 id="brief">かんたんに言うと</h2>
        <ul>
          {brief.map((line, index) => (
            // The lines never change their places.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>{line}</li>
          ))}
        </ul>
      </section>
      <details className={styles.contents}>
        <summary>もくじ</summary>
        <ol>
          {clauses.map((clause, index) => (
            <li key={clause.title}>
              <a href={`#clause-${index + 1}`}>{numbered(clause, index)}</a>
            </li>
          ))}
        </ol>
      </details>
      {clauses.map((clause, index) => (
        <Stack key={clause.title} as="section" gap="sm" mt="2.25rem" className={styles.clause}>
          <h2 id={`clause-${index + 1}`}>{numbered(clause, index)}</h2>
          {clause.body}
        </Stack>
      ))}
    </article>
  );
}

function numbered({ title }: Clause, index: number): string {
  return `第${index + 1}条 ${title}`;
}

/** Sentences that belong to one clause, numbered as lawyers count them when there are several. */
export function Paragraphs({ children }: { children: readonly ReactNode[] }) {
  return (
    <ol>
      {children.map((child, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>{child}</li>
      ))}
    </ol>
  );
}

interface TableProps {
  head: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

/** A table whose rows stand below one another on a phone; each begins with what it is about. */
export function Table({ head, rows }: TableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...rest], row) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={row}>
            <th scope="row">{first}</th>
            {rest.map((cell, column) => (
              // oxlint-disable-next-line react/no-array-index-key
              <Fragment key={column}>
                <td>{cell}</td>
              </Fragment>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
