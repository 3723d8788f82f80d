import { api, ApiError, type Course, readPayload } from "@konomana/api";
import { paths } from "@konomana/paths";
import { createContext } from "react-router";
import {
  type CourseList,
  type HomeData,
  type ListFilters,
  type CourseCardData,
  homeData,
  listData,
  toCard,
} from "./catalogue";

/** Where the public screens get their data; every failure is an `ApiError`. */
export interface CatalogueSource {
  home(signal: AbortSignal): Promise<HomeData>;
  list(filters: ListFilters, signal: AbortSignal): Promise<CourseList>;
  course(id: number, signal: AbortSignal): Promise<Course>;
}

async function everyCourse(signal: AbortSignal): Promise<CourseCardData[]> {
  const cards: CourseCardData[] = [];
  for (let page = 1; ; page += 1) {
    const { results, next } = await api.courses({ page }, signal);
    cards.push(...results.map(toCard));
    if (next === null) return cards;
  }
}

/** The front page as the API has it now. */
export async function newestHome(signal: AbortSignal): Promise<HomeData> {
  return homeData(await everyCourse(signal));
}

/** A page of the list as the API has it now. */
export async function newestList(filters: ListFilters, signal: AbortSignal): Promise<CourseList> {
  const { count, results } = await api.courses(filters, signal);
  return listData(filters, count, results.map(toCard));
}

/**
 * The source in a browser: the files of the build where they know the answer, else the API, so that
 * a course published after the build still opens.
 */
export const browserSource: CatalogueSource = {
  home: async (signal) => (await readPayload<HomeData>(paths.home(), signal)) ?? newestHome(signal),

  async list(filters, signal) {
    const unfiltered = paths.courses(filters) === paths.courses();
    const payload = unfiltered ? await readPayload<CourseList>(paths.courses(), signal) : null;
    return payload ?? newestList(filters, signal);
  },

  course: async (id, signal) =>
    (await readPayload<Course>(paths.course(id), signal)) ?? api.course(id, signal),
};

/** The loaders' way to their data; the prerender puts the catalogue's snapshot here. */
export const catalogueSource = createContext<CatalogueSource>(browserSource);

/** What a source says of a course that does not exist. */
export function noSuchCourse(): ApiError {
  return new ApiError({ status: 404, code: "NOT_FOUND", traceId: "" });
}
