import type { ChildProgress } from "../api";
import { Alert, Group, Note } from "@konomana/ui-base";
import { minutesOf } from "../home/week";
import { adviceFor } from "./advice";

/** A child's week, next lesson and due questions, with a suggestion for a conversation. */
export function ChildOverview({ child }: { child: ChildProgress }) {
  const { week_seconds, next_lesson, due_count } = child;
  return (
    <>
      <Group as="dl" gap="0.5rem 2rem" align="start">
        <div>
          <Note as="dt">この7日間</Note>
          <dd>
            <strong>{minutesOf(week_seconds)}分</strong>
          </dd>
        </div>
        <div>
          <Note as="dt">復習する問題</Note>
          <dd>
            <strong>{due_count}問</strong>
          </dd>
        </div>
        <div>
          <Note as="dt">次のレッスン</Note>
          <dd>
            <strong>{next_lesson?.lesson ?? "ありません"}</strong>
            {next_lesson && <Note as="div">{next_lesson.course}</Note>}
          </dd>
        </div>
      </Group>
      <Alert color="blue" title="声のかけ方">
        {adviceFor(child)}
      </Alert>
    </>
  );
}
