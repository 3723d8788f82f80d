import { useMark, useShowInList } from "@konomana/query";
import { bookmarkedCoursesQuery } from "@konomana/learner";
import { Button, showBlue } from "@konomana/ui-base";
import { wantedCourse } from "@konomana/visitor";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";

/** Bookmarks a course (あとで見る) or removes the bookmark. The button changes at once. */
export function LaterToggle({ course }: { course: number }) {
  const { data: bookmarked, isPending } = useQuery(bookmarkedCoursesQuery);
  const { mutate } = useMark(
    "bookmark",
    course,
    useShowInList(bookmarkedCoursesQuery.queryKey, course),
  );
  const on = bookmarked?.includes(course) ?? false;
  const put = useCallback(
    (aside: boolean) =>
      mutate(aside, {
        onSuccess: () =>
          showBlue(aside ? "「あとで見る」に入れました。" : "「あとで見る」から外しました。"),
      }),
    [mutate],
  );
  useEffect(() => {
    if (!isPending && wantedCourse.take(course) && !on) put(true);
  }, [isPending, course, on, put]);
  return (
    <Button
      variant={on ? "light" : "default"}
      pill
      fullWidth
      aria-pressed={on}
      busy={isPending}
      onClick={() => put(!on)}
    >
      {on ? "「あとで見る」に入っています" : "あとで見る"}
    </Button>
  );
}
