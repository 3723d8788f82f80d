/** Formats a figure with one decimal. `null` is a dash. */
export function formatFigure(figure: number | null): string {
  return figure === null ? "—" : figure.toFixed(1);
}
