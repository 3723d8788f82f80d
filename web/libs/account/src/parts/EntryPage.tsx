import { Head, Paper, Title } from "@konomana/ui";
import type { ReactNode } from "react";
import styles from "./EntryPage.module.css";

interface EntryPageProps {
  title: string;
  /** How far along the way this screen is, as in 「ステップ 1 / 3」. */
  step?: string;
  /** For screens that ask for more than two or three things. */
  wide?: boolean;
  children: ReactNode;
  /** Where else to go, below everything. */
  links?: ReactNode;
}

/** A screen on the way into an account: one card with one heading. */
export function EntryPage({ title, step, wide = false, children, links }: EntryPageProps) {
  return (
    <div className={styles.page}>
      <Head title={title} />
      <Paper className={styles.card} radius="lg" data-wide={wide || undefined}>
        <div>
          {step !== undefined && <p className={styles.step}>{step}</p>}
          <Title order={1} size="h2" ta="center">
            {title}
          </Title>
        </div>
        {children}
        {links !== undefined && <div className={styles.links}>{links}</div>}
      </Paper>
    </div>
  );
}
