import type { InventoryItem, Mark } from "@konomana/learner";
import { paths } from "@konomana/paths";
import {
  formatDuration,
  Stack,
  Text,
  Title,
  Panel,
  Group,
  TextLink,
  Lines,
} from "@konomana/ui-base";
import { useState } from "react";
import { StarToggle } from "../parts/StarToggle";

interface FavoriteGroupsProps {
  marks: readonly Mark[];
  /** The learner's items by course id. */
  owned: ReadonlyMap<number, InventoryItem>;
}

/** One page of starred lessons, grouped by course in order of first appearance. */
export function FavoriteGroups({ marks, owned }: FavoriteGroupsProps) {
  const groups = Map.groupBy(marks, ({ lesson }) => lesson.unit.chapter.course.id);
  return (
    <Stack gap="lg">
      {[...groups].map(([course, group]) => (
        <Panel key={course} as="section" aria-labelledby={`course-${course}`}>
          <Title order={2} size="h4" id={`course-${course}`} mb="xs">
            {group[0]?.lesson.unit.chapter.course.name}
          </Title>
          <Lines>
            {group.map((mark) => (
              <FavoriteRow key={mark.lesson.id} mark={mark} item={owned.get(course)?.id ?? null} />
            ))}
          </Lines>
        </Panel>
      ))}
    </Stack>
  );
}

/**
 * A lesson that loses its star stays visible until the list is opened again, so that it can be
 * undone.
 */
function FavoriteRow({ mark, item }: { mark: Mark; item: number | null }) {
  const { lesson } = mark;
  const [starred, setStarred] = useState(true);
  return (
    <Group as="li" gap="sm" justify="space-between" nowrap>
      <div>
        {item === null ? (
          <Text as="span" bold>
            {lesson.name}
          </Text>
        ) : (
          <TextLink strong to={paths.lesson(lesson.id)}>
            {lesson.name}
          </TextLink>
        )}
        <Text size="sm" dimmed>
          {lesson.unit.chapter.name}・{lesson.unit.name}・{formatDuration(lesson.duration)}
        </Text>
      </div>
      <StarToggle lesson={lesson} starred={starred} show={setStarred} />
    </Group>
  );
}
