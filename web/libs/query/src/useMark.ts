import { sentenceOf } from "@konomana/http";
import {
  inventoryKeys,
  lessonKeys,
  type MarkKind,
  markKeys,
  recentKeys,
  setMark,
} from "@konomana/learner";
import { showMessage } from "@konomana/ui-base";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/** Titles of the error messages, for setting and for removing a mark. */
const failures: Record<MarkKind, { set: string; remove: string }> = {
  bookmark: {
    set: "「あとで見る」に入れられませんでした。",
    remove: "「あとで見る」から外せませんでした。",
  },
  favorite: {
    set: "お気に入りをつけられませんでした。",
    remove: "お気に入りを外せませんでした。",
  },
  check: {
    set: "学習済みチェックをつけられませんでした。",
    remove: "学習済みチェックを外せませんでした。",
  },
};

/**
 * Lists and counts of other screens that a mark changes. They are refetched when they are opened.
 */
const TOUCHED = [
  markKeys.all("bookmark"),
  markKeys.all("favorite"),
  markKeys.all("check"),
  inventoryKeys.lists,
  recentKeys.all,
  lessonKeys.all,
];

/**
 * Sets or removes one mark. `show` updates the screen at once. If the server refuses, `show`
 * restores the old state and an alert gives the reason. Presses on one mark reach the server in
 * order.
 */
export function useMark(kind: MarkKind, id: number, show: (on: boolean) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => setMark(kind, id, on),
    scope: { id: `${kind}-${id}` },
    onMutate: async (on) => {
      // Cancels running queries: an older answer would undo the change on screen.
      await Promise.all(
        [markKeys.all(kind), lessonKeys.all].map((queryKey) => queries.cancelQueries({ queryKey })),
      );
      show(on);
    },
    onError: (error, on) => {
      show(!on);
      showMessage(failures[kind][on ? "set" : "remove"] + sentenceOf(error));
    },
    onSettled: () => {
      for (const queryKey of TOUCHED)
        void queries.invalidateQueries({ queryKey, refetchType: "none" });
      // A check may complete the course on this screen, or undo its completion.
      void queries.invalidateQueries({
        queryKey: inventoryKeys.items,
        refetchType: kind === "check" ? "active" : "none",
      });
    },
  });
}

/** Adds an id to a cached list of ids, or removes it, as `show` for `useMark`. */
export function useShowInList(queryKey: QueryKey, id: number): (on: boolean) => void {
  const queries = useQueryClient();
  return (on) =>
    queries.setQueryData<number[]>(queryKey, (ids = []) => {
      const others = ids.filter((one) => one !== id);
      return on ? [...others, id] : others;
    });
}
