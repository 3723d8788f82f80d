import { Link, type LinkProps } from "react-router";
import styles from "./Panel.module.css";

/**
 * A link that covers its positioned ancestor, e.g. a `Panel`: one large target with a short name.
 */
export function CoverLink(props: LinkProps) {
  return <Link {...props} className={styles.cover} />;
}
