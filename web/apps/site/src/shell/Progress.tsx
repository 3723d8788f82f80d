import { useNavigation } from "react-router";
import styles from "./Progress.module.css";

/** A thin line at the top while the next page loads; the page that is open stays as it is. */
export function Progress() {
  const loading = useNavigation().state !== "idle";
  return <div className={styles.line} data-loading={loading || undefined} aria-hidden="true" />;
}
