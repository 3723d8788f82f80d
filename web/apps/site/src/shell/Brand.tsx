import { paths } from "@konomana/paths";
import { Link } from "react-router";
import styles from "./Brand.module.css";

/** The logo and the name, linked to the front page. */
export function Brand() {
  return (
    <Link className={styles.brand} to={paths.home()} aria-label="コノマナ TOPへ">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" fill="currentColor" />
        <path
          d="M16 11.5C13 9 9.5 8.4 6 9v13c3.5-.6 7 0 10 2.5 3-2.5 6.5-3.1 10-2.5V9c-3.5-.6-7 0-10 2.5z"
          fill="#fff"
        />
        <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round">
          <path d="M16 11.5v13" />
          <path d="M9.5 15.5l2.2 2.2 3-4.2" strokeLinejoin="round" />
        </g>
      </svg>
      <span>コノマナ</span>
    </Link>
  );
}
