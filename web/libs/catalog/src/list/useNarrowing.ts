import { type CourseFilters, paths } from "@konomana/paths";
import { startTransition, useOptimistic } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { changed, readFilters } from "../data/courseFilters";

export interface Narrowing {
  /** The latest filters: those of a pending navigation, else those of the list. */
  readonly filters: CourseFilters;
  /** Whether another list is loading. */
  readonly loading: boolean;
  /** Opens the list with a change, and keeps the scroll position. */
  readonly narrow: (change: Partial<CourseFilters>) => void;
  readonly show: (filters: CourseFilters) => void;
}

/**
 * The list's filters and a function that changes them through the address, so that 'back' undoes a
 * change.
 */
export function useNarrowing(shown: CourseFilters): Narrowing {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const coming = useNavigation().location;
  const asked =
    coming?.pathname === paths.courses.pattern
      ? readFilters(new URLSearchParams(coming.search))
      : null;
  // The navigation starts later. Until then the optimistic value keeps a checkbox ticked.
  const [filters, choose] = useOptimistic(asked ?? shown);
  const show = (next: CourseFilters) =>
    startTransition(async () => {
      choose(next);
      await navigate(paths.courses(next), { preventScrollReset: true });
    });
  return {
    filters,
    loading: coming?.pathname === pathname,
    narrow: (change) => show(changed(filters, change)),
    show,
  };
}
