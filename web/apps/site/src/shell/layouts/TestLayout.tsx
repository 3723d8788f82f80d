import { Outlet } from "react-router";
import { Brand } from "../Brand";
import { Main } from "../Main";
import styles from "./layouts.module.css";

/** A narrow, quiet page. */
export function TestLayout() {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Brand />
      </header>
      <Main className={styles.narrow}>
        <Outlet />
      </Main>
    </div>
  );
}
