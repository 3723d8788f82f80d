/** Test support in a browser: accessibility and sideways scrolling. */
import axe from "axe-core";
import { page } from "vitest/browser";

/** The narrowest and the widest width of the design, in pixels. */
const WIDTHS = [320, 1264];

/**
 * Accessibility faults that axe finds in `container`, and whether the page scrolls sideways, at each
 * of these widths.
 */
export async function pageFaults(
  container: Element,
  widths: readonly number[] = WIDTHS,
): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.viewport(width, 800);
    const { violations } = await axe.run(container);
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${id} at ${width} px: ${html}`));
    if (document.documentElement.scrollWidth > width) faults.push(`wider than ${width} px`);
  }
  return faults;
}
