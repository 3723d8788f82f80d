import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/**
 * A part of the layout that is loaded on demand. If it fails to load, `otherwise` is rendered, or
 * nothing. Do not use it for parts that every page shows: they would only appear later.
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
