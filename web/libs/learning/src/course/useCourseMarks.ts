import { bookmarkedCoursesQuery, courseMarksQuery } from "@konomana/learner";
import type { Loadable } from "@konomana/calls";
import { useQueries } from "@tanstack/react-query";

/** What the learner has marked in one course: lesson ids, and whether the course itself is put aside. */
export interface CourseMarks {
  checked: readonly number[];
  starred: readonly number[];
  bookmarked: boolean;
}

/** The marks of a course as one thing that is loading, there, or failed. */
export function useCourseMarks(course: number): Loadable<CourseMarks> {
  return useQueries({
    queries: [
      courseMarksQuery("check", course),
      courseMarksQuery("favorite", course),
      bookmarkedCoursesQuery,
    ],
    combine: (results) => {
      const [{ data: checked }, { data: starred }, { data: bookmarks }] = results;
      const failed = results.filter(({ isError }) => isError);
      const data =
        checked && starred && bookmarks
          ? { checked, starred, bookmarked: bookmarks.includes(course) }
          : undefined;
      return {
        data,
        error: failed[0]?.error ?? null,
        isPending: data === undefined && failed.length === 0,
        isFetching: results.some(({ isFetching }) => isFetching),
        refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
      } as Loadable<CourseMarks>;
    },
  });
}
