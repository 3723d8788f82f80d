import { Group, Stack, Tag, Panel, Note } from "@konomana/ui-base";
import type { EntryExam } from "../api";
import { dayInWords, stateOf } from "./calendar";
import styles from "./ExamCard.module.css";

/** An exam with its dates. A past one is labelled and dimmed. */
export function ExamCard({ exam, today }: { exam: EntryExam; today: string | null }) {
  const standing = stateOf(exam, today);
  return (
    <Panel as="article" gap="xs" className={styles.card} data-standing={standing?.kind}>
      <Group as="header" gap="0.25rem 1rem" align="end" justify="space-between">
        <div>
          <Note size="xs">試験日</Note>
          <time
            className={`kn-figure ${standing?.kind === "past" ? "kn-soft" : "kn-accent"}`}
            dateTime={exam.exam_on}
          >
            {dayInWords(exam.exam_on)}
          </time>
        </div>
        <p
          className={`kn-fine kn-bold ${styles.standing} ${standing?.kind === "open" ? "kn-accent" : ""}`}
        >
          {standing?.words ?? ""}
        </p>
      </Group>
      <Group as="p" gap="xxs">
        <Tag>{exam.prefecture}</Tag>
        <Tag>{exam.kind}</Tag>
      </Group>
      <h3>{exam.name}</h3>
      <Stack as="dl" gap="0.25rem" className="kn-pairs kn-small">
        <div>
          <dt>出願</dt>
          <dd>
            <time dateTime={exam.apply_from}>{dayInWords(exam.apply_from)}</time>〜
            <time dateTime={exam.apply_until}>{dayInWords(exam.apply_until)}</time>
          </dd>
        </div>
        <div>
          <dt>合格発表</dt>
          <dd>
            <time dateTime={exam.result_on}>{dayInWords(exam.result_on)}</time>
          </dd>
        </div>
        <div>
          <dt>科目</dt>
          <dd>{exam.subjects.join("・")}</dd>
        </div>
      </Stack>
      {exam.note !== "" && <Note className="kn-ruled">{exam.note}</Note>}
    </Panel>
  );
}
