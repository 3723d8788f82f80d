import { useMark } from "@konomana/query";
import { lessonQuery, type LectureLesson } from "../api";
import { paths } from "@konomana/paths";
import {
  Alert,
  Button,
  formatDateTime,
  formatDuration,
  Panel,
  Stack,
  Text,
  Title,
  ButtonLink,
  Group,
} from "@konomana/ui-base";
import { useQueryClient } from "@tanstack/react-query";
import { CheckIcon } from "../parts/markIcons";
import { StarToggle } from "../parts/StarToggle";
import { WatchBar } from "../parts/WatchBar";
import { formatPosition } from "../parts/position";

/** The lesson's summary, the learner's progress, and a link to the player. */
export function LessonHead({ lesson }: { lesson: LectureLesson }) {
  return (
    <Panel pad="lg">
      <Stack gap="md">
        <Group align="start" justify="space-between" nowrap>
          <div>
            <Text size="sm" dimmed>
              {lesson.chapter.name}・{lesson.unit.name}
            </Text>
            <Title order={1} size="h2">
              {lesson.name}
            </Title>
          </div>
          <Star lesson={lesson} />
        </Group>
        <Text dimmed>
          全{lesson.lesson_count}レッスンの{lesson.number}番目・{formatDuration(lesson.duration)}
        </Text>
        {lesson.summary && <Text>{lesson.summary}</Text>}
        <WatchProgress lesson={lesson} />
        {lesson.is_expired ? <Locked lesson={lesson} /> : <Open lesson={lesson} />}
      </Stack>
    </Panel>
  );
}

/** The learner's position in the video. */
function WatchProgress({ lesson: { name, duration, watch } }: { lesson: LectureLesson }) {
  if (watch === null) return <Text dimmed>まだ見ていません。</Text>;
  return (
    <Stack gap="xxs">
      <Text size="sm">
        {formatPosition(watch.position, duration)} まで見ました
        <Text as="span" size="sm" dimmed>
          （最後に見た日時 {formatDateTime(watch.last_seen)}）
        </Text>
      </Text>
      <WatchBar name={name} position={watch.position} duration={duration} />
    </Stack>
  );
}

/** A link to the player, and the check for learners who know the lesson already. */
function Open({ lesson }: { lesson: LectureLesson }) {
  return (
    <Group actions gap="sm">
      {lesson.has_video ? (
        <ButtonLink to={paths.lecture(lesson.id)} size="lg">
          このレッスンを見る
        </ButtonLink>
      ) : (
        <Text>動画は準備中です。もうしばらくお待ちください。</Text>
      )}
      <CheckToggle lesson={lesson} />
    </Group>
  );
}

/** The video is locked; the learner's records remain. */
function Locked({ lesson }: { lesson: LectureLesson }) {
  return (
    <>
      <Alert color="gray" title="この講座は期限切れです">
        動画をまた見るには、もう一度購入してください。ノートや問題の結果は、これからも見ることができます。
      </Alert>
      <Group actions gap="sm">
        <ButtonLink to={paths.course(lesson.course.id)} size="lg">
          もう一度購入する
        </ButtonLink>
        <CheckToggle lesson={lesson} />
      </Group>
    </>
  );
}

/** Applies a mark to this page at once. */
function useShow(lesson: LectureLesson, mark: "is_favorite" | "is_check") {
  const queries = useQueryClient();
  return (on: boolean) =>
    queries.setQueryData(
      lessonQuery(lesson.id).queryKey,
      (known) => known && { ...known, [mark]: on },
    );
}

function Star({ lesson }: { lesson: LectureLesson }) {
  return (
    <StarToggle
      lesson={lesson}
      starred={lesson.is_favorite}
      show={useShow(lesson, "is_favorite")}
    />
  );
}

function CheckToggle({ lesson }: { lesson: LectureLesson }) {
  const mark = useMark("check", lesson.id, useShow(lesson, "is_check"));
  return (
    <Button
      variant="default"
      size="lg"
      aria-pressed={lesson.is_check}
      leftSection={<CheckIcon filled={lesson.is_check} />}
      onClick={() => mark.mutate(!lesson.is_check)}
    >
      学習済み
    </Button>
  );
}
