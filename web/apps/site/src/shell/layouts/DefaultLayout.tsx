import { Outlet } from "react-router";
import { Footer } from "../Footer";
import { Header } from "../Header";
import { Main } from "../Main";
import styles from "./layouts.module.css";

/** Public pages: header, content, footer. */
export function DefaultLayout() {
  return (
    <div className={styles.page}>
      <Header />
      <Main>
        <Outlet />
      </Main>
      <Footer />
    </div>
  );
}
