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

/** What could not be done, for setting and for removing a mark. */
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

/** What a mark changes on other screens: lists and counts. They are fetched anew when they are opened. */
const TOUCHED = [
  markKeys.all("bookmark"),
  markKeys.all("favorite"),
  markKeys.all("check"),
  inventoryKeys.lists,
  recentKeys.all,
  lessonKeys.all,
];

/**
 * Sets or removes one mark. The screen shows it at once through `show`; when the server refuses, `show` takes
 * it back and the reason is told. Presses on one mark reach the server in the order they were made.
 */
export function useMark(kind: MarkKind, id: number, show: (on: boolean) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => setMark(kind, id, on),
    scope: { id: `${kind}-${id}` },
    onMutate: async (on) => {
      // An answer from before this press would take it back.
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
      // A check may complete the course on this very screen, or take that back.
      void queries.invalidateQueries({
        queryKey: inventoryKeys.items,
        refetchType: kind === "check" ? "active" : "none",
      });
    },
  });
}

/** Puts an id into a kept list of ids, or takes it out: what `useMark` shows at once. */
export function useShowInList(queryKey: QueryKey, id: number): (on: boolean) => void {
  const queries = useQueryClient();
  return (on) =>
    queries.setQueryData<number[]>(queryKey, (ids = []) => {
      const others = ids.filter((one) => one !== id);
      return on ? [...others, id] : others;
    });
}
