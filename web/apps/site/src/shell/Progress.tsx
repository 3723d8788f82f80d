import { useIsLoading } from "../router/stall";
import styles from "./Progress.module.css";

/** A thin progress bar at the top while the next page loads. The current page stays unchanged. */
export function Progress() {
  const loading = useIsLoading();
  return <div className={styles.line} data-loading={loading || undefined} aria-hidden="true" />;
}
