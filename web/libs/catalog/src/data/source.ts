import { api, ApiError, type Course } from "@konomana/api";
import { paths, payloadPath } from "@konomana/paths";
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

/**
 * Reads the data that was made beside a prerendered page; null where there is none. A server may
 * answer an unknown path with a page, so the content type decides.
 */
async function readPayload<Data>(path: string, signal: AbortSignal): Promise<Data | null> {
  try {
    const response = await fetch(payloadPath(path), { signal });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return response.ok && isJson ? ((await response.json()) as Data) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

async function everyCourse(signal: AbortSignal): Promise<CourseCardData[]> {
  const cards: CourseCardData[] = [];
  for (let page = 1; ; page += 1) {
    const { results, next } = await api.courses({ page }, signal);
    cards.push(...results.map(toCard));
    if (next === null) return cards;
  }
}

/**
 * The source in a browser: the files of the build where they know the answer, else the API, so that
 * a course published after the build still opens.
 */
export const browserSource: CatalogueSource = {
  home: async (signal) =>
    (await readPayload<HomeData>(paths.home(), signal)) ?? homeData(await everyCourse(signal)),

  async list(filters, signal) {
    const unfiltered = paths.courses(filters) === paths.courses();
    const payload = unfiltered ? await readPayload<CourseList>(paths.courses(), signal) : null;
    if (payload !== null) return payload;
    const { count, results } = await api.courses(filters, signal);
    return listData(filters, count, results.map(toCard));
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
