import { FailureAlert } from "@konomana/query";
import { Badge, Checkbox, formatLastDay, Group, Note, Stack, Text } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { classKey, formatLessonTitle, type LiveLesson, markHomework } from "./classCalls";
import styles from "./class.module.css";

/** The homework of a live lesson, with the learner's mark. */
export function HomeworkPanel({ lesson }: { lesson: LiveLesson }) {
  const { id, class_name, homework } = lesson;
  const queries = useQueryClient();
  const marking = useMutation({
    // One change after another, so the last one holds.
    scope: { id: `homework-${id}` },
    mutationFn: (isDone: boolean) => markHomework(id, isDone),
    onSettled: () => queries.invalidateQueries({ queryKey: classKey }),
  });
  if (homework === null) return null;
  const { text, due_at, done_at, is_late } = homework;
  // The mark shows at once. If the server refuses it, it goes back.
  const isDone = marking.isPending ? marking.variables : done_at !== null;
  return (
    <Stack as="li" gap="xs">
      <Group gap="sm">
        <Text bold>{formatLastDay(due_at)}まで</Text>
        {is_late && (
          <Badge color="red">{isDone ? "期限のあとにできた" : "期限を過ぎています"}</Badge>
        )}
      </Group>
      <Text className={styles.homework}>{text}</Text>
      <Note>
        {class_name}・{formatLessonTitle(lesson)}
      </Note>
      <Checkbox
        label="できた"
        aria-label={`${class_name}の${formatLessonTitle(lesson)}の宿題ができた`}
        checked={isDone}
        onChange={(event) => marking.mutate(event.currentTarget.checked)}
      />
      {marking.isError && (
        <FailureAlert
          key={marking.submittedAt}
          error={marking.error}
          title="宿題の印を保存できませんでした"
        />
      )}
    </Stack>
  );
}
