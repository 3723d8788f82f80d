import type { InventoryItem, MarkPage } from "@konomana/api";
import { Loaded, type Loadable } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { formatDate, LoadingState, Text, Title } from "@konomana/ui";
import { Link } from "react-router";
import styles from "./home.module.css";

/** How many are shown here; the rest is on its own screen. */
const SHOWN = 4;

interface NewestMarksProps {
  title: string;
  /** What to do when there are none. */
  empty: string;
  query: Loadable<MarkPage>;
  /** The learner's items by course id. */
  owned: ReadonlyMap<number, InventoryItem>;
}

/** The lessons marked last, each leading to its place in the course. */
export function NewestMarks({ title, empty, query, owned }: NewestMarksProps) {
  return (
    <section className={styles.panel}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <Loaded query={query} loading={<LoadingState rows={SHOWN} height="3rem" />}>
        {({ results }) =>
          results.length === 0 ? (
            <Text c="dimmed">{empty}</Text>
          ) : (
            <ul className={styles.lines}>
              {results.slice(0, SHOWN).map(({ lesson, created }) => (
                <li key={lesson.id} className={styles.line}>
                  <div>
                    <LessonName
                      lesson={lesson}
                      item={owned.get(lesson.unit.chapter.course.id)?.id}
                    />
                    <Text size="sm" c="dimmed">
                      {lesson.unit.chapter.course.name}・{formatDate(created)}
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function LessonName({
  lesson,
  item,
}: {
  lesson: { id: number; name: string };
  item: number | undefined;
}) {
  return item === undefined ? (
    <span className={styles.name}>{lesson.name}</span>
  ) : (
    <Link className={styles.name} to={`${paths.learning(item)}#lesson-${lesson.id}`}>
      {lesson.name}
    </Link>
  );
}
