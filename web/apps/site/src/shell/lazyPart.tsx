import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/**
 * A part of the frame that is loaded when somebody reaches for it. Where it can't be had, `otherwise` takes its place,
 * or nothing does. What every page shows is not loaded this way: it would only come later.
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
