import { Suspense } from "react";
import { Outlet } from "react-router";
import { Header } from "../Header";
import { lazyPart } from "../lazyPart";
import { Main } from "../Main";
import { PageCrumbs } from "../PageCrumbs";
import footer from "../Footer.module.css";
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
      {/* Named here, the footer's styles come with the page: a prerendered footer shows before its script is there. */}
      <Suspense fallback={<div className={footer.footer} />}>
        <Footer />
      </Suspense>
    </div>
  );
}
