import type { Chapter, InventoryItem, Unit } from "@konomana/learner";
import type { RecentLesson } from "../api";
import { Stack, Text, Title, Panel, Group } from "@konomana/ui-base";
import { LessonRow } from "./LessonRow";
import type { CourseMarks } from "./useCourseMarks";

interface OutlineProps {
  item: InventoryItem;
  marks: CourseMarks;
  /** The watched lessons; empty while loading. */
  watched: readonly RecentLesson[];
}

/** Chapters with their units and lessons, and the learner's marks. */
export function OwnedOutline({ item, ...part }: OutlineProps) {
  return (
    <Stack gap="xl">
      {item.course.course_chapter.map((chapter) => (
        <ChapterSection key={chapter.id} chapter={chapter} item={item} {...part} />
      ))}
    </Stack>
  );
}

function ChapterSection({ chapter, ...part }: OutlineProps & { chapter: Chapter }) {
  const lessons = chapter.units.flatMap((unit) => unit.lessons);
  const done = lessons.filter(({ id }) => part.marks.checked.includes(id)).length;
  const heading = `chapter-${chapter.id}`;
  return (
    <Panel as="section" aria-labelledby={heading}>
      <Group align="baseline" justify="space-between" nowrap>
        <Title order={2} size="h3" id={heading}>
          {chapter.name}
        </Title>
        <Text className="kn-fixed" size="sm" dimmed>
          {done} / {lessons.length}
        </Text>
      </Group>
      {chapter.units.map((unit) => (
        <UnitSection key={unit.id} unit={unit} {...part} />
      ))}
    </Panel>
  );
}

function UnitSection({ unit, item, marks, watched }: OutlineProps & { unit: Unit }) {
  return (
    <div>
      <Title order={3} size="h5" dimmed mt="md" mb="xs">
        {unit.name}
      </Title>
      <ul>
        {unit.lessons.map((lesson) => (
          <LessonRow
            key={lesson.id}
            lesson={lesson}
            course={item.course.id}
            completed={item.completed_at !== null}
            locked={item.is_expired}
            watched={watched.find((one) => one.lesson.id === lesson.id)}
            checked={marks.checked.includes(lesson.id)}
            starred={marks.starred.includes(lesson.id)}
          />
        ))}
      </ul>
    </div>
  );
}
