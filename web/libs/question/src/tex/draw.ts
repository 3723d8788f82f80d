/**
 * Renders formulas with KaTeX, its fonts and its stylesheet. Loaded when a text contains the first
 * formula.
 */
import "katex/dist/katex.min.css";
import { render } from "katex";

/**
 * Renders TeX into an element as DOM nodes, not as markup, because the page accepts no HTML from
 * scripts (Trusted Types). The output includes MathML for screen readers. Invalid TeX is shown as
 * its source.
 */
export function draw(tex: string, into: HTMLElement): void {
  render(tex, into, { throwOnError: false, strict: "ignore", trust: false });
}
