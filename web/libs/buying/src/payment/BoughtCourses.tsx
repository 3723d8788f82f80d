import { inventoryKeys, wholeInventoryQuery } from "@konomana/learner";
import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { ButtonLink, Group, Stack, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { OrderLine } from "../api";

interface BoughtCoursesProps {
  lines: readonly OrderLine[];
}

/** Ways into the courses of an order, for the buyer themselves; for a child, what happens next. */
export function BoughtCourses({ lines }: BoughtCoursesProps) {
  const { user } = useSession();
  const own = lines.filter(({ learner }) => learner.id === user?.id);
  const children = new Map(
    lines
      .filter(({ learner }) => learner.id !== user?.id)
      .map(({ learner }) => [learner.id, learner]),
  );
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
  const queries = useQueryClient();
  const { data: items = [] } = useQuery(wholeInventoryQuery);
  // What was loaded a moment ago is without them.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: inventoryKeys.lists });
  }, [queries]);
  return (
    <Stack as="ul" gap="sm">
      {lines.map(({ product_id, course_id, name }) => {
        const item = items.find(({ course, is_expired }) => course.id === course_id && !is_expired);
        return (
          <Group as="li" key={product_id} gap="0.5rem 1rem" justify="space-between">
            <Text bold>{name}</Text>
            <ButtonLink
              to={item === undefined ? paths.ownedCourses() : paths.ownedCourse(item.id)}
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
