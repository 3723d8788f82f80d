import { Group } from "@konomana/ui-base";
import type { ScreenHandle } from "@konomana/screens";
import { Suspense } from "react";
import { Outlet, useMatches } from "react-router";
import { Brand } from "../Brand";
import { Main } from "../Main";
import styles from "./layouts.module.css";

interface BesideLayoutProps {
  /** The CSS class of the columns. */
  columns: string | undefined;
  /** The accessible name of the second column. */
  label: string;
}

/** A layout with a plain bar, the content, and a second column beside it. */
export function BesideLayout({ columns, label }: BesideLayoutProps) {
  const { Beside } = (useMatches().at(-1)?.handle ?? {}) as Partial<ScreenHandle>;
  return (
    <div className={styles.page}>
      <Group as="header" justify="space-between" nowrap className={styles.bar}>
        <Brand />
      </Group>
      <div className={`kn-container ${styles.beside} ${Beside === undefined ? "" : columns}`}>
        <Main>
          <Outlet />
        </Main>
        {Beside !== undefined && (
          <aside className={styles.aside} aria-label={label}>
            <Suspense>
              <Beside />
            </Suspense>
          </aside>
        )}
      </div>
    </div>
  );
}
