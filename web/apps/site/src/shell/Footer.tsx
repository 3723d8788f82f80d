import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { Brand } from "./Brand";
import styles from "./Footer.module.css";
import { legal, siteMap } from "./site-map";

/** The footer of every public page: links to other pages and to the legal texts. */
export function Footer() {
  return (
    <footer className={`kn-fine ${styles.footer}`} data-screen-only>
      <div className={`kn-container kn-row ${styles.inner}`}>
        <div>
          <Brand />
          <p>中学生・高校生のためのオンライン学習</p>
          <p>
            <Link to={paths.mypage()}>マイページ</Link>
          </p>
        </div>
        <nav className={styles.map} aria-label="サイトの案内">
          {siteMap.map(({ title, links }) => (
            <div key={title}>
              <p className="kn-bold">{title}</p>
              <ul>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to}>{label}</Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className={`kn-container kn-row kn-soft ${styles.end}`}>
        <ul className="kn-row">
          {legal.map(({ to, label }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
        <p className="kn-push">
          © コノマナ　このサイトは架空の会社によるデモンストレーションです。
        </p>
      </div>
    </footer>
  );
}
