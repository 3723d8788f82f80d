import { courseMarksQuery, inventoryItemQuery } from "@konomana/learner";
import { lessonQuery, type LectureLesson } from "../../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  formatDuration,
  LoadingState,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import styles from "./panels.module.css";

/** The lessons of the course, beside the open one. */
export function LessonsBeside() {
  const { id = "" } = useParams();
  const { data } = useQuery({ ...lessonQuery(id), enabled: false });
  return data ? <LessonList lesson={data} /> : null;
}

/** Every lesson of the course, with a tick if it is done and a marker on the open one. */
export function LessonList({ lesson }: { lesson: LectureLesson }) {
  const item = useQuery(inventoryItemQuery(lesson.inventory_id));
  const checked = useQuery(courseMarksQuery("check", lesson.course.id)).data ?? [];
  return (
    <QueryBoundary query={item} loading={<LoadingState rows={6} height="3rem" />}>
      {({ course }) => (
        <Stack as="nav" gap="lg" aria-label="この講座のレッスン">
          {course.course_chapter.map((chapter) => (
            <section key={chapter.id}>
              <Title order={2} size="h5">
                {chapter.name}
              </Title>
              <ol>
                {chapter.units
                  .flatMap(({ lessons }) => lessons)
                  .map(({ id, name, duration }) => (
                    <li key={id}>
                      <Link
                        className={`kn-way ${styles.line}`}
                        to={paths.lecture(id)}
                        aria-current={id === lesson.id ? "page" : undefined}
                      >
                        <span className={`kn-fixed kn-bold kn-right ${styles.tick}`}>
                          {checked.includes(id) && (
                            <>
                              <span aria-hidden="true">✓</span>
                              <VisuallyHidden>学習済み</VisuallyHidden>
                            </>
                          )}
                        </span>
                        <span>{name}</span>
                        <Text as="span" size="sm" dimmed className="kn-push kn-nowrap">
                          {formatDuration(duration)}
                        </Text>
                      </Link>
                    </li>
                  ))}
              </ol>
            </section>
          ))}
        </Stack>
      )}
    </QueryBoundary>
  );
}
