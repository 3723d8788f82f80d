import type { ReactNode } from "react";
import { Head } from "../page/Head";
import { Container } from "./Container";
import styles from "./Container.module.css";
import { Stack } from "./Stack";

interface PageProps {
  title: string;
  /** For search results. */
  description?: string;
  /** What the page is for, below its heading. */
  lead?: ReactNode;
  /** Stands above the heading: a category, a day. */
  above?: ReactNode;
  /** For pages that are read, not looked through. */
  narrow?: boolean;
  children: ReactNode;
}

/** A public page: one heading, what it is for, and its content. */
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
