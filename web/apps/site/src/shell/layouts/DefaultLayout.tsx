import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { Footer } from "../Footer";
import { Header } from "../Header";
import { Main } from "../Main";
import { PageCrumbs } from "../PageCrumbs";
import styles from "./layouts.module.css";

/**
 * The layout of public pages: header, breadcrumbs, content, footer. Without `children` the content
 * is the route's screen.
 */
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
