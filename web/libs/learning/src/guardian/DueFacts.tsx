import type { ChildProgress } from "../api";
import { Note } from "@konomana/ui-base";

/** Entries of a description list: the questions due for review, and the next lesson. */
export function DueFacts({
  due_count,
  next_lesson,
}: Pick<ChildProgress, "due_count" | "next_lesson">) {
  return (
    <>
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
    </>
  );
}
