import { Group } from "@konomana/ui-base";
import { KitProvider } from "@konomana/ui-kit";
import type { ReactNode } from "react";
import { Outlet, useMatches } from "react-router";
import { Brand } from "../Brand";
import { Main } from "../Main";
import styles from "./layouts.module.css";

/** What a screen puts beside its content, given in its route's `handle`. */
export interface BesideHandle {
  readonly beside?: ReactNode;
}

function useBeside(): ReactNode {
  return useMatches()
    .map(({ handle }) => (handle as BesideHandle | undefined)?.beside)
    .findLast((beside) => beside !== undefined);
}

interface BesideLayoutProps {
  /** The name of the columns in the stylesheet. */
  columns: string | undefined;
  /** What the second column is, for screen readers. */
  label: string;
}

/** A quiet bar, the content, and what belongs beside it. */
export function BesideLayout({ columns, label }: BesideLayoutProps) {
  const beside = useBeside();
  return (
    <div className={styles.page}>
      <Group as="header" justify="space-between" nowrap className={styles.bar}>
        <Brand />
      </Group>
      <KitProvider>
        <div className={`${styles.beside} ${beside === undefined ? "" : columns}`}>
          <Main>
            <Outlet />
          </Main>
          {beside !== undefined && (
            <aside className={styles.aside} aria-label={label}>
              {beside}
            </aside>
          )}
        </div>
      </KitProvider>
    </div>
  );
}
