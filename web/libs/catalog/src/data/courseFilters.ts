import { type CourseFilters, courseSorts } from "@konomana/paths";
import { formatYen } from "@konomana/ui-base";
import { schoolYears, subjects } from "@konomana/ui-base/art";

/** The longest text that the API accepts, in characters. */
export const LONGEST_TEXT = 100;
const DEAREST = 9_999_999;

/** The filters with fixed choices, and their values; the API refuses any other value. */
export const choices = {
  school_year: schoolYears,
  category: subjects.map(({ name }) => name),
  level: ["基礎", "標準", "発展"],
} as const satisfies Partial<Record<keyof CourseFilters, readonly string[]>>;

export type ChoiceName = keyof typeof choices;

const choiceNames = Object.keys(choices) as ChoiceName[];

/** Trims typed text; undefined if nothing is left. */
export function readText(text: string | null): string | undefined {
  const plain = text?.replaceAll(/\p{Cc}/gu, " ").trim() ?? "";
  return [...plain].slice(0, LONGEST_TEXT).join("").trim() || undefined;
}

/**
 * Page number of an address; null if it is not a whole number from 1. The site links to no such
 * page.
 */
export function readPage(search: URLSearchParams): number | null {
  const page = search.get("page") ?? "1";
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : null;
}

function readYen(text: string | null): number | undefined {
  if (text === null || !/^\d{1,7}$/.test(text)) return undefined;
  return Math.min(Number(text), DEAREST);
}

/**
 * Reads the filters of an address; null if its page is invalid. Other invalid values are ignored.
 */
export function readFilters(search: URLSearchParams): CourseFilters | null {
  const page = readPage(search);
  if (page === null) return null;
  const filters: CourseFilters = {};
  for (const name of choiceNames) {
    const asked = search.getAll(name);
    const chosen = choices[name].filter((value) => asked.includes(value));
    if (chosen.length > 0) filters[name] = chosen;
  }
  const least = readYen(search.get("price_min"));
  if (least !== undefined) filters.price_min = least;
  const most = readYen(search.get("price_max"));
  if (most !== undefined) filters.price_max = most;
  const q = readText(search.get("q"));
  if (q !== undefined) filters.q = q;
  const sort = courseSorts.find((known) => known === search.get("sort"));
  if (sort !== undefined && sort !== courseSorts[0]) filters.sort = sort;
  if (page > 1) filters.page = page;
  return filters;
}

/** Applies a change to the filters, and goes back to the first page. */
export function changed(filters: CourseFilters, change: Partial<CourseFilters>): CourseFilters {
  const next = { ...filters, ...change, page: undefined };
  const { price_min, price_max } = next;
  if (price_min === undefined || price_max === undefined || price_min <= price_max) return next;
  // The latest choice wins.
  return "price_min" in change
    ? { ...next, price_max: undefined }
    : { ...next, price_min: undefined };
}

/** Adds a choice to the filters, or removes it. */
export function toggled(filters: CourseFilters, name: ChoiceName, value: string): CourseFilters {
  const chosen = filters[name] ?? [];
  const next = chosen.includes(value)
    ? chosen.filter((other) => other !== value)
    : [...chosen, value];
  return changed(filters, { [name]: next });
}

/** One filter's label, and the filters without it. */
export interface Chip {
  readonly label: string;
  readonly without: CourseFilters;
}

/** A chip for every filter of the list. The order of the list is not a filter. */
export function chipsOf(filters: CourseFilters): Chip[] {
  const { price_min, price_max, q } = filters;
  return [
    ...(q === undefined
      ? []
      : [{ label: `「${q}」`, without: changed(filters, { q: undefined }) }]),
    ...choiceNames.flatMap((name) =>
      (filters[name] ?? []).map((value) => ({
        label: value,
        without: toggled(filters, name, value),
      })),
    ),
    ...(price_min === undefined
      ? []
      : [
          {
            label: `${formatYen(price_min)}以上`,
            without: changed(filters, { price_min: undefined }),
          },
        ]),
    ...(price_max === undefined
      ? []
      : [
          {
            label: `${formatYen(price_max)}以下`,
            without: changed(filters, { price_max: undefined }),
          },
        ]),
  ];
}

/** The title of a list: its school year and subject, if it has at most one of each. */
export function titleOf({ school_year = [], category = [], q }: CourseFilters): string {
  const words = [...school_year, ...category];
  if (school_year.length <= 1 && category.length <= 1 && words.length > 0)
    return `${words.join(" ")}の講座`;
  return q === undefined || words.length > 0 ? "講座をさがす" : `「${q}」の講座`;
}
