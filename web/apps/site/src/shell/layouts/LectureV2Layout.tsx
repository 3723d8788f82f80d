import { BesideLayout } from "./beside";
import styles from "./layouts.module.css";

/** A question or a result, with its lecture's still or text beside it. */
export function LectureV2Layout() {
  return <BesideLayout columns={styles["lecturev2"]} label="レッスンの資料" />;
}
