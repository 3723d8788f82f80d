import { useMark, useShowInList } from "@konomana/query";
import { bookmarkedCoursesQuery } from "@konomana/learner";
import { Button, showBlue } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

/** Puts the course aside for later, or takes it back. The button shows it at once. */
export function LaterToggle({ course }: { course: number }) {
  const { data: bookmarked, isPending } = useQuery(bookmarkedCoursesQuery);
  const { mutate } = useMark(
    "bookmark",
    course,
    useShowInList(bookmarkedCoursesQuery.queryKey, course),
  );
  const on = bookmarked?.includes(course) ?? false;
  const toggle = () =>
    mutate(!on, {
      onSuccess: () =>
        showBlue(on ? "「あとで見る」から外しました。" : "「あとで見る」に入れました。"),
    });
  return (
    <Button
      variant={on ? "light" : "default"}
      pill
      fullWidth
      aria-pressed={on}
      busy={isPending}
      onClick={toggle}
    >
      {on ? "「あとで見る」に入っています" : "あとで見る"}
    </Button>
  );
}
