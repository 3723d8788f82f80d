import { paths } from "@konomana/paths";
import { ButtonLink, formatClock, Note, Stack } from "@konomana/ui-base";

/** The lesson that teaches a question, in the API's format. */
export interface Lesson {
  id: number;
  name: string;
  course: { id: number; name: string };
  /** The second of the video at which the topic begins. */
  watch_again_at: number | null;
  /** Whether the learner can play the lesson now. */
  is_usable: boolean;
}

/** Link to the position in the lesson that teaches a question, or to the course with the lesson. */
export function TeachingLesson({ lesson }: { lesson: Lesson | null }) {
  if (lesson === null) return <Note>この内容のレッスンは、いまの講座にはありません。</Note>;
  const { id, name, course, watch_again_at: at, is_usable } = lesson;
  return (
    <Stack gap="xs">
      <Note>
        {course.name}の「{name}」で学べます。
      </Note>
      <div>
        {is_usable ? (
          <ButtonLink variant="default" to={paths.lecture(id, { at: at ?? undefined })}>
            {at === null
              ? "このレッスンを見る"
              : `レッスンのこの場面を見る（${formatClock(at)}から）`}
          </ButtonLink>
        ) : (
          <ButtonLink variant="default" to={paths.courseLesson(course.id, id)}>
            このレッスンのある講座を見る
          </ButtonLink>
        )}
      </div>
    </Stack>
  );
}
