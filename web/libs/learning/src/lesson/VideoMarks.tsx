import { TitledPanel, TextLink, Text, Lines, Note, Group, formatClock } from "@konomana/ui-base";
import type { LectureLesson } from "../api";
import { paths } from "@konomana/paths";

/** The chapters of the video, each with a link to its start. Nothing if there are none. */
export function VideoMarks({ lesson }: { lesson: LectureLesson }) {
  if (lesson.marks.length === 0) return null;
  const locked = lesson.is_expired || !lesson.has_video;
  return (
    <TitledPanel title="動画の内容">
      <Lines as="ol">
        {lesson.marks.map(({ at, name }) => (
          <Group key={at} as="li" align="baseline" gap="md" nowrap>
            <Note as="span">{formatClock(at)}</Note>
            {locked ? (
              <Text as="span" bold>
                {name}
              </Text>
            ) : (
              <TextLink strong to={paths.lecture(lesson.id, { at })}>
                {name}
              </TextLink>
            )}
          </Group>
        ))}
      </Lines>
    </TitledPanel>
  );
}
