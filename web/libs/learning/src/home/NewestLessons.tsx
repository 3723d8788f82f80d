import { QueryBoundary, type QueryState } from "@konomana/query";
import { paths } from "@konomana/paths";
import { LoadingState, Text, Group, TitledPanel, TextLink, Lines } from "@konomana/ui-base";

/** How many are shown here; the list's screen has the rest. */
const SHOWN = 4;

/** The fields of a lesson that are shown here. */
export interface NamedLesson {
  id: number;
  name: string;
  course: string;
}

interface NewestLessonsProps {
  title: string;
  /** The path of the full list. */
  all: string;
  /** A suggestion for an empty list. */
  empty: string;
  query: QueryState<readonly NamedLesson[]>;
}

/** The newest lessons of a list, each with a link to its page. */
export function NewestLessons({ title, all, empty, query }: NewestLessonsProps) {
  return (
    <TitledPanel
      title={title}
      aside={
        <TextLink size="sm" to={all} aria-label={`${title}をすべて見る`}>
          すべて見る
        </TextLink>
      }
    >
      <QueryBoundary part query={query} loading={<LoadingState rows={SHOWN} height="3rem" />}>
        {(lessons) =>
          lessons.length === 0 ? (
            <Text dimmed>{empty}</Text>
          ) : (
            <Lines>
              {lessons.slice(0, SHOWN).map(({ id, name, course }) => (
                <Group key={id} as="li" gap="sm" justify="space-between" nowrap>
                  <div>
                    <TextLink strong to={paths.lesson(id)}>
                      {name}
                    </TextLink>
                    <Text size="sm" dimmed>
                      {course}
                    </Text>
                  </div>
                </Group>
              ))}
            </Lines>
          )
        }
      </QueryBoundary>
    </TitledPanel>
  );
}
