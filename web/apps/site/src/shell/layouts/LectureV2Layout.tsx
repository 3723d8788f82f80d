import { BesideLayout } from "./beside";
import styles from "./layouts.module.css";

/** The layout of a question or a result, with the lecture's still or text beside it. */
export function LectureV2Layout() {
  return <BesideLayout columns={styles["lecturev2"]} label="レッスンの資料" />;
}
