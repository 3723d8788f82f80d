import type { AnswerFilters, NoticeFilters } from "@konomana/paths";
import { data } from "react-router";

/** The page that an address asks for; null where it is not a whole number from 1, which no link of the site writes. */
function readPage(search: URLSearchParams): { page?: number } | null {
  const page = search.get("page") ?? "1";
  if (!/^[1-9]\d{0,8}$/.test(page)) return null;
  return page === "1" ? {} : { page: Number(page) };
}

/** What an address says under a name, where it says something. */
function readWord<Name extends string>(
  search: URLSearchParams,
  name: Name,
): Partial<Record<Name, string>> {
  const word = search.get(name)?.trim() ?? "";
  return word === "" ? {} : ({ [name]: word } as Record<Name, string>);
}

/** The filters of the notices that an address asks for; null where its page is none. */
export function readNoticeFilters(search: URLSearchParams): NoticeFilters | null {
  const page = readPage(search);
  return page && { ...readWord(search, "category"), ...page };
}

/** The filters of the answers that an address asks for; null where its page is none. */
export function readAnswerFilters(search: URLSearchParams): AnswerFilters | null {
  const page = readPage(search);
  return page && { ...readWord(search, "category"), ...readWord(search, "q"), ...page };
}

/** What an address asks a list for; one that no link of the site writes is not found. */
export function filtersOf<Filters>(
  read: (search: URLSearchParams) => Filters | null,
  { url }: Request,
): Filters {
  const { pathname, search, searchParams } = new URL(url);
  const filters = read(searchParams);
  if (filters === null) throw data(`Page not found: ${pathname}${search}`, { status: 404 });
  return filters;
}
