import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/**
 * A part of the frame that is not needed to draw a page: it comes after the page, out of what every page loads
 * first. Where it can't be had, `otherwise` takes its place, or nothing does.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  otherwise: ComponentType<Props> = () => null,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      return { default: otherwise };
    }
  });
}
