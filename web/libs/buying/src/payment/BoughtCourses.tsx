import { useUsableItems } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { ButtonLink, Group, Stack, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import type { OrderLine } from "../api";

interface BoughtCoursesProps {
  lines: readonly OrderLine[];
}

/** Links to the bought courses for the learner themselves. For a child, the next steps. */
export function BoughtCourses({ lines }: BoughtCoursesProps) {
  const { user } = useSession();
  const courses = lines.filter(({ kind }) => kind === "course");
  const own = courses.filter(({ learner }) => learner.id === user?.id);
  const children = new Map(
    courses
      .filter(({ learner }) => learner.id !== user?.id)
      .map(({ learner }) => [learner.id, learner]),
  );
  if (courses.length === 0) return null;
  return (
    <TitledPanel gap="md" title="受講のはじめかた">
      {own.length > 0 && <OwnCourses lines={own} />}
      {[...children.values()].map(({ id, name }) => (
        <Text key={id}>
          {name}さんの所有講座に入りました。{name}さんがログインすると、すぐに始められます。
          {hasScope(user, "guardian") && (
            <TextLink inline to={paths.child(id)}>
              {name}さんの学習を見る
            </TextLink>
          )}
        </Text>
      ))}
    </TitledPanel>
  );
}

function OwnCourses({ lines }: BoughtCoursesProps) {
  const items = useUsableItems();
  return (
    <Stack as="ul" gap="sm">
      {lines.map(({ product_id, course_id, name }) => {
        const item = course_id === null ? undefined : items.get(course_id);
        return (
          <Group as="li" key={product_id} gap="0.5rem 1rem" justify="space-between">
            <Text bold>{name}</Text>
            <ButtonLink
              to={item === undefined ? paths.ownedCourses() : paths.ownedCourse(item)}
              aria-label={`講座を始める（${name}）`}
            >
              講座を始める
            </ButtonLink>
          </Group>
        );
      })}
    </Stack>
  );
}
