import { Group } from "@konomana/ui-base";
import { Outlet } from "react-router";
import { Main } from "../Main";
import { useNow } from "../useNow";
import styles from "./layouts.module.css";

const clock = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** An exam: nothing leads away, and the clock is always in sight. */
export function CustomLayout() {
  const now = useNow(1000);
  return (
    <div className={styles.page}>
      <Group as="header" justify="space-between" nowrap className={styles.bar}>
        <span className={styles.wordmark}>コノマナ</span>
        <time className={styles.clock} aria-label="いまの時刻">
          {clock.format(now)}
        </time>
      </Group>
      <Main className={styles.narrow}>
        <Outlet />
      </Main>
    </div>
  );
}
