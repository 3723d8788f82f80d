import { useIsLoading } from "../router/stall";
import styles from "./Progress.module.css";

/** A thin line at the top while the next page loads; the page that is open stays as it is. */
export function Progress() {
  const loading = useIsLoading();
  return <div className={styles.line} data-loading={loading || undefined} aria-hidden="true" />;
}
