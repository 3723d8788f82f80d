import { Group } from "@konomana/ui-base";
import { Outlet } from "react-router";
import { Brand } from "../Brand";
import { Main } from "../Main";
import styles from "./layouts.module.css";

/** A narrow layout with few elements. */
export function TestLayout() {
  return (
    <div className={styles.page}>
      <Group as="header" justify="space-between" nowrap className={styles.bar}>
        <Brand />
      </Group>
      <Main className={`kn-container ${styles.narrow}`}>
        <Outlet />
      </Main>
    </div>
  );
}
