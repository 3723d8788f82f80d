import { ApiError, readPayload } from "@konomana/http";
import { catalogue, type Teacher } from "../api";
import { type CourseFilters, paths, successYears } from "@konomana/paths";
import { createContext } from "react-router";
import {
  type CourseData,
  type CourseList,
  listData,
  pagesOf,
  type TeacherList,
  TEACHERS_PAGE_SIZE,
  toTeacherCard,
} from "./courseData";
import { isWhole } from "./isWhole";
import { type HomeData, homeData, isFresh } from "./home";

/** The data source of the public screens. Every failure is an `ApiError`. */
export interface CatalogueSource {
  home(signal: AbortSignal): Promise<HomeData>;
  list(filters: CourseFilters, signal: AbortSignal): Promise<CourseList>;
  course(id: number, signal: AbortSignal): Promise<CourseData>;
  teachers(page: number, signal: AbortSignal): Promise<TeacherList>;
  teacher(id: number, signal: AbortSignal): Promise<Teacher>;
}

/** Reads everything from the API, without the build's files. */
export const newest: CatalogueSource = {
  async home(signal) {
    const [home, notices, success, entryExams, exams] = await Promise.all([
      catalogue.home(signal),
      catalogue.notices(signal),
      catalogue.success(successYears[0], signal),
      catalogue.entryExams(signal),
      // The front page works without the next mock exam.
      catalogue.mockExams(signal).catch(() => []),
    ]);
    const told = {
      notices: notices.results,
      success: [success],
      entryExams: entryExams.results,
      exams,
    };
    return homeData(home, told, new Date());
  },

  list: async (filters, signal) => listData(filters, await catalogue.courses(filters, signal)),

  async course(id, signal) {
    const course = await catalogue.course(id, signal);
    // The page of a course works without its teacher's message.
    const teacher = await catalogue.teacher(course.teacher.id, signal).catch(() => null);
    return { course, teacher: teacher && toTeacherCard(teacher) };
  },

  async teachers(page, signal) {
    const { count, results } = await catalogue.teachers(page, signal);
    return { page, pages: pagesOf(count, TEACHERS_PAGE_SIZE), teachers: results };
  },

  teacher: (id, signal) => catalogue.teacher(id, signal),
};

/**
 * The source in a browser: the build's files if they have the answer, else the API. Courses
 * published after the build open too.
 */
export const browserSource: CatalogueSource = {
  async home(signal) {
    const built = await readPayload<HomeData>(paths.home(), signal);
    if (built !== null && isFresh(built.as_of)) return built;
    try {
      return await newest.home(signal);
    } catch (error) {
      if (built === null || signal.aborted) throw error;
      return built;
    }
  },

  list: async (filters, signal) =>
    (isWhole(filters) ? await readPayload<CourseList>(paths.courses(), signal) : null) ??
    newest.list(filters, signal),

  course: async (id, signal) =>
    (await readPayload<CourseData>(paths.course(id), signal)) ?? newest.course(id, signal),

  teachers: async (page, signal) =>
    (page === 1 ? await readPayload<TeacherList>(paths.teachers(), signal) : null) ??
    newest.teachers(page, signal),

  teacher: async (id, signal) =>
    (await readPayload<Teacher>(paths.teacher(id), signal)) ?? newest.teacher(id, signal),
};

/** The loaders' data source. The prerender sets it to the catalogue's snapshot. */
export const catalogueSource = createContext<CatalogueSource>(browserSource);

/** The error for a course or a teacher that does not exist. */
export function notThere(): ApiError {
  return new ApiError({ status: 404, code: "NOT_FOUND", traceId: "" });
}
