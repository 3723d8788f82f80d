import { Outlet } from "react-router";
import { Header } from "../Header";
import { Main } from "../Main";
import { MypageMenu } from "../MypageMenu";
import styles from "./layouts.module.css";

/** The layout of my page: header, content, and the menu at the side or at the bottom. */
export function MypageLayout() {
  return (
    <div className={styles.page}>
      <Header />
      <div className={`kn-container ${styles.mypage}`}>
        <MypageMenu />
        <Main>
          <Outlet />
        </Main>
      </div>
    </div>
  );
}
