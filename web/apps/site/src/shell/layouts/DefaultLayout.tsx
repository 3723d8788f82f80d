import { Outlet } from "react-router";
import { Footer } from "../Footer";
import { Header } from "../Header";
import { Main } from "../Main";
import { PageCrumbs } from "../PageCrumbs";
import styles from "./layouts.module.css";

/** Public pages: header, the way to the page, content, footer. */
export function DefaultLayout() {
  return (
    <div className={styles.page}>
      <Header />
      <div>
        <PageCrumbs />
        <Main>
          <Outlet />
        </Main>
      </div>
      <Footer />
    </div>
  );
}
