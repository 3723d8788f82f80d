import { examKeys } from "@konomana/exam-card";
import { callPublic, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Search filters for schools. An empty field does not filter. */
export interface SchoolFilters {
  /** Words of the name or its kana. */
  q: string;
  prefecture: string;
  page: number;
}

/** Schools change rarely. */
const FRESH_MS = 10 * 60_000;

/** One page of the schools, sorted by kana. */
export const schoolsQuery = ({ q, prefecture, page }: SchoolFilters, link?: string | null) =>
  queryOptions({
    queryKey: examKeys.schools(pageKey({ q, prefecture, page }, link)),
    queryFn: ({ signal }) =>
      callPublic("GET", "/api/exam/school/", {
        query: { q, prefecture, page },
        link,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
