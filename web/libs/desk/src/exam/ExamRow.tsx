import type { EntryExam } from "../api";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { dayInWords, EVERYWHERE, standingOf } from "./calendar";
import styles from "./ExamRow.module.css";

/** One exam in a line; where it is leads to all that is known of the exams there. */
export function ExamRow({ exam, today }: { exam: EntryExam; today: string | null }) {
  const { prefecture, kind, name, exam_on } = exam;
  const standing = standingOf(exam, today);
  return (
    <div className={styles.row} data-standing={standing?.kind}>
      <time dateTime={exam_on}>{dayInWords(exam_on)}</time>
      <p className={styles.place}>
        {prefecture === EVERYWHERE ? (
          prefecture
        ) : (
          <Link to={paths.entryExam(prefecture)}>{prefecture}</Link>
        )}
      </p>
      <p className={styles.name}>
        {name}
        <span>{kind}</span>
      </p>
      <p className={styles.standing}>{standing?.words ?? ""}</p>
    </div>
  );
}
