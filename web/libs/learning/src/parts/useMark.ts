import { api, PERSONAL, sentenceOf, type MarkKind } from "@konomana/http";
import { showMessage } from "@konomana/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";

const names: Record<MarkKind, string> = {
  bookmark: "あとで見る",
  favorite: "お気に入り",
  check: "学習済みチェック",
};

/** What a mark changes on other screens: lists and counts. They are fetched anew when they are opened. */
const TOUCHED = ["bookmark", "favorite", "check", "inventory", "recent", "lesson"];

/**
 * Sets or removes one mark. The screen shows it at once through `show`; when the server refuses, `show` takes
 * it back and the reason is told. Presses on one mark reach the server in the order they were made.
 */
export function useMark(kind: MarkKind, id: number, show: (on: boolean) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => api.setMark(kind, id, on),
    scope: { id: `${kind}-${id}` },
    networkMode: "always",
    onMutate: async (on) => {
      // An answer from before this press would take it back.
      await Promise.all(
        [kind, "lesson"].map((key) => queries.cancelQueries({ queryKey: [...PERSONAL, key] })),
      );
      show(on);
    },
    onError: (error, on) => {
      show(!on);
      showMessage(
        `${names[kind]}を${on ? "つけられませんでした" : "外せませんでした"}。${sentenceOf(error)}`,
      );
    },
    onSettled: () => {
      for (const list of TOUCHED)
        void queries.invalidateQueries({ queryKey: [...PERSONAL, list], refetchType: "none" });
      // A check may complete the course on this very screen, or take that back.
      void queries.invalidateQueries({
        queryKey: [...PERSONAL, "inventory-item"],
        refetchType: kind === "check" ? "active" : "none",
      });
    },
  });
}
