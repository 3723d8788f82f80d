import { Group } from "@konomana/ui-base";
import type { ScreenHandle } from "@konomana/screens";
import { Suspense } from "react";
import { Outlet, useMatches } from "react-router";
import { Main } from "../Main";
import { useNow } from "../useNow";
import styles from "./layouts.module.css";

const clock = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/**
 * The layout of an exam: no links to other pages, and a visible clock (the screen's own, or the
 * time of day).
 */
export function CustomLayout() {
  const { Beside } = (useMatches().at(-1)?.handle ?? {}) as Partial<ScreenHandle>;
  return (
    <div className={styles.page}>
      <Group
        as="header"
        justify="space-between"
        nowrap
        className={`${styles.bar} ${styles.sticky}`}
      >
        <span className="kn-bold">コノマナ</span>
        {Beside === undefined ? (
          <TimeOfDay />
        ) : (
          <Suspense>
            <Beside />
          </Suspense>
        )}
      </Group>
      <Main className={`kn-container ${styles.narrow}`}>
        <Outlet />
      </Main>
    </div>
  );
}

function TimeOfDay() {
  const now = useNow(1000);
  return (
    <time className="kn-bold" aria-label="いまの時刻">
      {clock.format(now)}
    </time>
  );
}
