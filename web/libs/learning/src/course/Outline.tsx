import type { Chapter, Course, Unit } from "@konomana/api";
import { Stack, Text, Title } from "@konomana/ui";
import { LessonRow } from "./LessonRow";
import styles from "./Outline.module.css";
import type { CourseMarks } from "./useCourseMarks";

interface OutlineProps {
  course: Course;
  marks: CourseMarks;
}

/** Chapters, their units and lessons, with the marks of the learner. */
export function Outline({ course, marks }: OutlineProps) {
  return (
    <Stack gap="xl">
      {course.course_chapter.map((chapter) => (
        <ChapterSection key={chapter.id} chapter={chapter} course={course.id} marks={marks} />
      ))}
    </Stack>
  );
}

interface PartProps {
  course: number;
  marks: CourseMarks;
}

function ChapterSection({ chapter, ...part }: PartProps & { chapter: Chapter }) {
  const lessons = chapter.units.flatMap((unit) => unit.lessons);
  const done = lessons.filter(({ id }) => part.marks.checked.includes(id)).length;
  const heading = `chapter-${chapter.id}`;
  return (
    <section className={styles.chapter} aria-labelledby={heading}>
      <div className={styles.head}>
        <Title order={2} size="h3" id={heading}>
          {chapter.name}
        </Title>
        <Text className={styles.count} size="sm" c="dimmed">
          {done} / {lessons.length}
        </Text>
      </div>
      {chapter.units.map((unit) => (
        <UnitSection key={unit.id} unit={unit} {...part} />
      ))}
    </section>
  );
}

function UnitSection({ unit, course, marks }: PartProps & { unit: Unit }) {
  return (
    <div>
      <Title order={3} size="h5" c="dimmed" mt="md" mb="xs">
        {unit.name}
      </Title>
      <ul className={styles.lessons}>
        {unit.lessons.map((lesson) => (
          <LessonRow
            key={lesson.id}
            lesson={lesson}
            course={course}
            checked={marks.checked.includes(lesson.id)}
            starred={marks.starred.includes(lesson.id)}
          />
        ))}
      </ul>
    </div>
  );
}
