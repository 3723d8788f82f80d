import { type CourseFilters, courseSorts } from "@konomana/paths";
import { formatYen } from "@konomana/ui-base";
import { schoolYears, subjects } from "@konomana/ui-base/art";

/** As long as the API takes a text. */
export const LONGEST_TEXT = 100;
const DEAREST = 9_999_999;

/** The filters that are chosen from a list, and what each can be; the API refuses anything else. */
export const choices = {
  school_year: schoolYears,
  category: subjects.map(({ name }) => name),
  level: ["基礎", "標準", "発展"],
} as const satisfies Partial<Record<keyof CourseFilters, readonly string[]>>;

export type ChoiceName = keyof typeof choices;

const choiceNames = Object.keys(choices) as ChoiceName[];

/** Text as people type it, without the blanks around it; undefined where nothing is left. */
export function readText(text: string | null): string | undefined {
  const plain = text?.replaceAll(/\p{Cc}/gu, " ").trim() ?? "";
  return [...plain].slice(0, LONGEST_TEXT).join("").trim() || undefined;
}

/** A page of an address; null when it is not a whole number from 1, which no link of the site writes. */
export function readPage(search: URLSearchParams): number | null {
  const page = search.get("page") ?? "1";
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : null;
}

function readYen(text: string | null): number | undefined {
  if (text === null || !/^\d{1,7}$/.test(text)) return undefined;
  return Math.min(Number(text), DEAREST);
}

/**
 * The filters that an address asks for; null when its page is none. What else can't be read narrows
 * nothing.
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

/** The filters after a change: another list begins on its first page. */
export function changed(filters: CourseFilters, change: Partial<CourseFilters>): CourseFilters {
  const next = { ...filters, ...change, page: undefined };
  const { price_min, price_max } = next;
  if (price_min === undefined || price_max === undefined || price_min <= price_max) return next;
  // What was chosen last counts.
  return "price_min" in change
    ? { ...next, price_max: undefined }
    : { ...next, price_min: undefined };
}

/** The filters with one choice put in or taken out. */
export function toggled(filters: CourseFilters, name: ChoiceName, value: string): CourseFilters {
  const chosen = filters[name] ?? [];
  const next = chosen.includes(value)
    ? chosen.filter((other) => other !== value)
    : [...chosen, value];
  return changed(filters, { [name]: next });
}

/** One condition in words, and the filters without it. */
export interface Chip {
  readonly label: string;
  readonly without: CourseFilters;
}

/** Every condition that narrows the list; the order of the list is none. */
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

/** What a list is called: by its school year and subject where it has one of each at most. */
export function titleOf({ school_year = [], category = [], q }: CourseFilters): string {
  const words = [...school_year, ...category];
  if (school_year.length <= 1 && category.length <= 1 && words.length > 0)
    return `${words.join(" ")}の講座`;
  return q === undefined || words.length > 0 ? "講座をさがす" : `「${q}」の講座`;
}
