import { Head, Stack } from "@konomana/ui-base";
import type { ReactNode } from "react";
import styles from "./Page.module.css";

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

/** A page of the desk: one heading, what it is for, and its content. */
export function Page({ title, description, lead, above, narrow = false, children }: PageProps) {
  return (
    <Stack
      gap="clamp(1.5rem, 4vw, 2.25rem)"
      className={styles.page}
      data-narrow={narrow || undefined}
    >
      <Head title={title} {...(description === undefined ? {} : { description })} />
      <Stack as="header" gap="sm">
        {above}
        <h1>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </Stack>
      {children}
    </Stack>
  );
}
