import type { AnswerFilters, NoticeFilters } from "@konomana/paths";
import { data } from "react-router";

/** The page in an address. `null` if it is not an integer from 1. */
function readPage(search: URLSearchParams): { page?: number } | null {
  const page = search.get("page") ?? "1";
  if (!/^[1-9]\d{0,8}$/.test(page)) return null;
  return page === "1" ? {} : { page: Number(page) };
}

/** A non-empty parameter of an address. */
function readWord<Name extends string>(
  search: URLSearchParams,
  name: Name,
): Partial<Record<Name, string>> {
  const word = search.get(name)?.trim() ?? "";
  return word === "" ? {} : ({ [name]: word } as Record<Name, string>);
}

/** The filters of the notices in an address. `null` if the page is invalid. */
export function readNoticeFilters(search: URLSearchParams): NoticeFilters | null {
  const page = readPage(search);
  return page && { ...readWord(search, "category"), ...page };
}

/** The filters of the answers in an address. `null` if the page is invalid. */
export function readAnswerFilters(search: URLSearchParams): AnswerFilters | null {
  const page = readPage(search);
  return page && { ...readWord(search, "category"), ...readWord(search, "q"), ...page };
}

/** The filters of a list in an address. Throws a 404 if they are invalid. */
export function filtersOf<Filters>(
  read: (search: URLSearchParams) => Filters | null,
  { url }: Request,
): Filters {
  const { pathname, search, searchParams } = new URL(url);
  const filters = read(searchParams);
  if (filters === null) throw data(`Page not found: ${pathname}${search}`, { status: 404 });
  return filters;
}
