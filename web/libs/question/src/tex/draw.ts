/** What draws formulas, with its faces and its stylesheet: fetched when a text holds the first one. */
import "katex/dist/katex.min.css";
import { render } from "katex";

/**
 * Draws TeX into an element, as nodes and never as markup: the page takes no HTML from scripts (Trusted Types). Beside
 * what is seen there is MathML for those who hear it. What can't be read as TeX is shown as it was written.
 */
export function draw(tex: string, into: HTMLElement): void {
  render(tex, into, { throwOnError: false, strict: "ignore", trust: false });
}
