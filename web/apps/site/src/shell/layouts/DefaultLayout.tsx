import { Suspense } from "react";
import { Outlet } from "react-router";
import { Header } from "../Header";
import { lazyPart } from "../lazyPart";
import { Main } from "../Main";
import { PageCrumbs } from "../PageCrumbs";
// A prerendered page shows its footer before the footer's script is there.
import "../Footer.module.css";
import styles from "./layouts.module.css";

const Footer = lazyPart(async () => (await import("../Footer")).Footer);

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
      <Suspense>
        <Footer />
      </Suspense>
    </div>
  );
}
