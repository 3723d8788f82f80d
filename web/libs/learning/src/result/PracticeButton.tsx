import { lessonQuestionsQuery, resultKeys, startPractice } from "../api";
import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { Button, showMessage } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";

interface PracticeButtonProps {
  lesson: number;
  variant: "filled" | "default";
}

/** Starts a round of practice and opens its first question. */
export function PracticeButton({ lesson, variant }: PracticeButtonProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const starting = useMutation({
    mutationFn: async () => {
      const [{ result }, list] = await Promise.all([
        startPractice(lesson),
        queries.fetchQuery(lessonQuestionsQuery(lesson)),
      ]);
      return { result, first: list.results[0]?.id };
    },
    onSuccess: ({ result, first }) => {
      void queries.invalidateQueries({ queryKey: resultKeys.all, refetchType: "none" });
      if (first !== undefined) void navigate(paths.question(lesson, first, { result }));
    },
    onError: (error) => showMessage(`練習を始められませんでした。${sentenceOf(error)}`),
  });
  return (
    <Button pill variant={variant} busy={starting.isPending} onClick={() => starting.mutate()}>
      {starting.isPending ? "用意しています…" : "もう一度練習する"}
    </Button>
  );
}
