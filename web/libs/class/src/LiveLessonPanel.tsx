import { paths } from "@konomana/paths";
import {
  Badge,
  ButtonLink,
  formatDateTime,
  formatPeriod,
  Group,
  Note,
  Panel,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { classKey, formatLessonTitle, type LiveLesson, recordAttendance } from "./classCalls";

const attendances = {
  joined: { label: "出席", color: "teal" },
  watched: { label: "録画を見た", color: "blue" },
  absent: { label: "欠席", color: "gray" },
} as const;

/** One live lesson of the timetable. */
export function LiveLessonPanel({ lesson }: { lesson: LiveLesson }) {
  const { class_name, attendance, is_cancelled, moved_from, reason, recording_id } = lesson;
  return (
    <Panel as="li" gap="sm">
      <Group gap="sm">
        <Title order={3} size="h4">
          {formatPeriod(lesson)}
        </Title>
        {is_cancelled && <Badge color="red">休講</Badge>}
        {!is_cancelled && moved_from !== null && <Badge color="blue">日時変更</Badge>}
        {attendance !== null && (
          <Badge color={attendances[attendance].color} variant="light">
            {attendances[attendance].label}
          </Badge>
        )}
      </Group>
      <p>
        {class_name}・{formatLessonTitle(lesson)}
      </p>
      {!is_cancelled && moved_from !== null && (
        <Note>もとの日時は{formatDateTime(moved_from)}です。</Note>
      )}
      {reason !== "" && <Note>理由：{reason}</Note>}
      <JoinButton lesson={lesson} />
      {recording_id !== null && (
        <TextLink to={paths.lecture(recording_id)}>
          {formatLessonTitle(lesson)}の録画を見る
        </TextLink>
      )}
    </Panel>
  );
}

/**
 * The link to the meeting, while the lesson can be joined. Following it records the attendance. The link works also when
 * that fails.
 */
export function JoinButton({ lesson: { id, class_name, join_url } }: { lesson: LiveLesson }) {
  const queries = useQueryClient();
  const joining = useMutation({
    mutationFn: () => recordAttendance(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: classKey }),
  });
  if (join_url === null) return null;
  return (
    <Group actions>
      <ButtonLink
        to={join_url}
        target="_blank"
        rel="noreferrer"
        onClick={() => joining.mutate()}
        aria-label={`${class_name}の授業に参加する`}
      >
        授業に参加する
      </ButtonLink>
    </Group>
  );
}
