import { Head, Note, Stack, Container, Panel, Title } from "@konomana/ui-base";
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
  /** The effective date and the date of the last change, as shown. */
  dates: string;
  lead: ReactNode;
  /** A summary in a few lines. */
  brief: readonly ReactNode[];
  clauses: readonly Clause[];
}

/** A legal text: a summary, a table of contents, and the clauses. */
export function Document({ title, description, dates, lead, brief, clauses }: DocumentProps) {
  return (
    <Container as="article" narrow className={`kn-text ${styles.document}`}>
      <Head title={title} description={description} />
      <h1>{title}</h1>
      <Note mt="0.5rem" mb="lg">
        {dates}
      </Note>
      <p>{lead}</p>
      <Panel
        as="section"
        variant="tint"
        gap="0.5rem"
        mt="1.5rem"
        className={styles.brief}
        aria-labelledby="brief"
      >
        <Title order={2} size="h4" id="brief">
          かんたんに言うと
        </Title>
        <ul>
          {brief.map((line, index) => (
            // The lines never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>{line}</li>
          ))}
        </ul>
      </Panel>
      <Panel as="details" pad="0rem 1.25rem" mt="1.5rem" data-screen-only>
        <summary className="kn-fold">もくじ</summary>
        <ol className={styles.contents}>
          {clauses.map((clause, index) => (
            <li key={clause.title}>
              <a href={`#clause-${index + 1}`}>{numbered(clause, index)}</a>
            </li>
          ))}
        </ol>
      </Panel>
      {clauses.map((clause, index) => (
        <Stack key={clause.title} as="section" gap="sm" mt="2.25rem" className={styles.clause}>
          <h2 id={`clause-${index + 1}`}>{numbered(clause, index)}</h2>
          {clause.body}
        </Stack>
      ))}
    </Container>
  );
}

function numbered({ title }: Clause, index: number): string {
  return `第${index + 1}条 ${title}`;
}

/** The sentences of one clause, numbered if there are several. */
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

/** A table whose cells are stacked on a phone. The first cell of each row is its heading. */
export function Table({ head, rows }: TableProps) {
  return (
    <table className={`kn-table ${styles.table}`}>
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
