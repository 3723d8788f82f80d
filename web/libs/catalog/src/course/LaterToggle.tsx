import { api, bookmarkedCoursesQuery, PERSONAL, sentenceOf } from "@konomana/http";
import { Button, showBlue, showMessage } from "@konomana/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

/** Puts the course aside for later, or takes it back. The button shows it at once. */
export function LaterToggle({ course }: { course: number }) {
  const queries = useQueryClient();
  const { data: bookmarked } = useQuery(bookmarkedCoursesQuery);
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (on: boolean) => api.setMark("bookmark", course, on),
    scope: { id: `bookmark-${course}` },
    onSuccess: (_, on) =>
      showBlue(on ? "「あとで見る」に入れました。" : "「あとで見る」から外しました。"),
    onError: (error) => showMessage(sentenceOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: [...PERSONAL, "bookmark"] }),
  });
  const on = isPending ? variables : (bookmarked?.includes(course) ?? false);
  return (
    <Button
      variant={on ? "light" : "default"}
      size="md"
      radius="xl"
      fullWidth
      aria-pressed={on}
      loading={bookmarked === undefined}
      onClick={() => mutate(!on)}
    >
      {on ? "「あとで見る」に入っています" : "あとで見る"}
    </Button>
  );
}
