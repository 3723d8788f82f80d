import { BesideLayout } from "./beside";
import styles from "./layouts.module.css";

/** The layout of a lesson's player, with the lesson list beside it. */
export function LectureLayout() {
  return <BesideLayout columns={styles["lecture"]} label="レッスンの一覧" />;
}
