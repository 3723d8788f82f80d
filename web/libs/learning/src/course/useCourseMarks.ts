import { bookmarkedCoursesQuery, courseMarksQuery } from "@konomana/learner";
import { combineQueries, type QueryState } from "@konomana/query";
import { useQuery } from "@tanstack/react-query";

/** The learner's marks in one course: lesson ids, and whether the course is bookmarked. */
export interface CourseMarks {
  checked: readonly number[];
  starred: readonly number[];
  bookmarked: boolean;
}

/** Loads the marks of a course as one query. */
export function useCourseMarks(course: number): QueryState<CourseMarks> {
  const marks = combineQueries([
    useQuery(courseMarksQuery("check", course)),
    useQuery(courseMarksQuery("favorite", course)),
    useQuery(bookmarkedCoursesQuery),
  ]);
  if (marks.data === undefined) return { ...marks, data: undefined };
  const [checked, starred, bookmarks] = marks.data;
  return { ...marks, data: { checked, starred, bookmarked: bookmarks.includes(course) } };
}
