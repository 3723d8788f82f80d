import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./GuidePage.module.css";

/** A link inside a sentence. */
export function To({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles.inlineLink} to={to}>
      {children}
    </Link>
  );
}
