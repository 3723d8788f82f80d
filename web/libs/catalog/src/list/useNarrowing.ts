import { type CourseFilters, paths } from "@konomana/paths";
import { startTransition, useOptimistic } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";
import { changed, readFilters } from "../data/courseFilters";

export interface Narrowing {
  /** The filters as the person has chosen them last: those on their way, else those of the list. */
  readonly filters: CourseFilters;
  /** Whether another list is on its way. */
  readonly loading: boolean;
  /** Opens the list with a change; the person stays where they are on the page. */
  readonly narrow: (change: Partial<CourseFilters>) => void;
  readonly show: (filters: CourseFilters) => void;
}

/** The filters of the list and the way to change them: through the address, so that 'back' undoes it. */
export function useNarrowing(shown: CourseFilters): Narrowing {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const coming = useNavigation().location;
  const asked =
    coming?.pathname === paths.courses.pattern
      ? readFilters(new URLSearchParams(coming.search))
      : null;
  // The way to the list begins a moment later: a box that was ticked must not lose its tick until then.
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
