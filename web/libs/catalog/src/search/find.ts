import { catalogue, type Hit, type HitPage } from "../api";
import { paths, type SearchKind, searchKinds } from "@konomana/paths";
import type { LoaderFunctionArgs } from "react-router";
import { readPage, readText } from "../data/courseFilters";

/** A search; without a kind it returns some results of each. */
export interface Search {
  readonly q: string;
  readonly kind: SearchKind | undefined;
  readonly page: number;
}

/** Display names of the kinds of results. */
export const kindNames: Readonly<Record<SearchKind, string>> = {
  course: "講座",
  lesson: "レッスン",
  teacher: "先生",
  notice: "お知らせ",
  faq: "よくある質問",
};

/** Reads a search from an address; null without a text. An invalid kind or page is ignored. */
export function readSearch(search: URLSearchParams): Search | null {
  const q = readText(search.get("q"));
  if (q === undefined) return null;
  const kind = searchKinds.find((known) => known === search.get("kind"));
  return { q, kind, page: kind === undefined ? 1 : (readPage(search) ?? 1) };
}

/** A search and its results. */
export interface SearchData {
  readonly search: Search | null;
  readonly hits: HitPage | null;
}

/** Runs the search in the address. */
export async function loadSearch({ request }: LoaderFunctionArgs): Promise<SearchData> {
  const search = readSearch(new URL(request.url).searchParams);
  return { search, hits: search && (await catalogue.search(search, request.signal)) };
}

/** The path of a search result. */
export function pathOf({ kind, id, course_id }: Pick<Hit, "kind" | "id" | "course_id">): string {
  switch (kind) {
    case "course":
      return paths.course(id);
    case "lesson":
      return course_id === null ? paths.courses() : paths.courseLesson(course_id, id);
    case "teacher":
      return paths.teacher(id);
    case "notice":
      return paths.notice(id);
    case "faq":
      return paths.answer(id);
  }
}
