import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Footer } from "../Footer";
import { Header } from "../Header";
import { Main } from "../Main";
import { PageCrumbs } from "../PageCrumbs";
import styles from "./layouts.module.css";

/** Public pages: header, the way to the page, content, footer. The content is the route's screen if no other is given. */
export function DefaultLayout({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <Header />
      <div>
        <PageCrumbs />
        <Main>{children ?? <Outlet />}</Main>
      </div>
      <Footer />
    </div>
  );
}
