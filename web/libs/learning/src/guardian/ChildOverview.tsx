import type { ChildProgress } from "../api";
import { Alert, Group, Note } from "@konomana/ui-base";
import { minutesOf } from "../home/week";
import { adviceFor } from "./advice";
import { DueFacts } from "./DueFacts";

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
        <DueFacts due_count={due_count} next_lesson={next_lesson} />
      </Group>
      <Alert color="blue" title="声のかけ方">
        {adviceFor(child)}
      </Alert>
    </>
  );
}
