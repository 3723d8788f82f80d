import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { Brand } from "./Brand";
import styles from "./Footer.module.css";

/** The end of every public page. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div>
          <Brand />
          <p>中学生・高校生のためのオンライン学習</p>
        </div>
        <nav aria-label="フッター">
          <ul>
            <li>
              <Link to={paths.home()}>トップ</Link>
            </li>
            <li>
              <Link to={paths.courses()}>講座をさがす</Link>
            </li>
            <li>
              <Link to={paths.mypage()}>マイページ</Link>
            </li>
          </ul>
        </nav>
      </div>
      <p className={styles.copyright}>© コノマナ</p>
    </footer>
  );
}
