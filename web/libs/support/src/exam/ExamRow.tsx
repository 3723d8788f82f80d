import { TextLink, Note } from "@konomana/ui-base";
import type { EntryExam } from "../api";
import { paths } from "@konomana/paths";
import { dayInWords, EVERYWHERE, stateOf } from "./calendar";
import styles from "./ExamRow.module.css";

/** An exam in one line. The prefecture links to the details of its exams. */
export function ExamRow({ exam, today }: { exam: EntryExam; today: string | null }) {
  const { prefecture, kind, name, exam_on } = exam;
  const standing = stateOf(exam, today);
  return (
    <div className={styles.row}>
      <time
        className={`kn-bold kn-nowrap ${standing?.kind === "past" ? "kn-soft" : "kn-accent"}`}
        dateTime={exam_on}
      >
        {dayInWords(exam_on)}
      </time>
      <p>
        {prefecture === EVERYWHERE ? (
          prefecture
        ) : (
          <TextLink to={paths.entryExam(prefecture)}>{prefecture}</TextLink>
        )}
      </p>
      <p className={styles.name}>
        {name}
        <Note as="span"> {kind}</Note>
      </p>
      <Note className={standing?.kind === "open" ? "kn-end kn-bold kn-accent" : "kn-end"}>
        {standing?.words ?? ""}
      </Note>
    </div>
  );
}
