import { wholeInventoryQuery } from "@konomana/learner";
import { hasScope, useSession } from "@konomana/session";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

/** The inventory items that the signed-in learner can use now, by course. Empty until loaded. */
export function useUsableItems(): ReadonlyMap<number, number> {
  const { user } = useSession();
  const { data } = useQuery({
    ...wholeInventoryQuery,
    enabled: user !== null && hasScope(user, "learner"),
  });
  return useMemo(
    () =>
      new Map(
        (user === null ? [] : (data ?? []))
          .filter(({ is_expired }) => !is_expired)
          .map(({ course, id }) => [course.id, id]),
      ),
    [data, user],
  );
}
