import type { ReactNode } from "react";
import { Head } from "../page/Head";
import { Container } from "./Container";
import styles from "./Container.module.css";
import { Stack } from "./Stack";

interface PageProps {
  title: string;
  /** For search results. */
  description?: string;
  /** The purpose of the page, below its heading. */
  lead?: ReactNode;
  /** Content above the heading, e.g. a category or a date. */
  above?: ReactNode;
  /** A narrow column for reading. */
  narrow?: boolean;
  children: ReactNode;
}

/** A public page: one heading, a lead, and the content. */
export function Page({ title, description, lead, above, narrow = false, children }: PageProps) {
  return (
    <Container narrow={narrow} className={styles.page}>
      <Head title={title} {...(description === undefined ? {} : { description })} />
      <Stack as="header" gap="sm">
        {above}
        <h1>{title}</h1>
        {lead !== undefined && <p className="kn-lead kn-soft">{lead}</p>}
      </Stack>
      {children}
    </Container>
  );
}
