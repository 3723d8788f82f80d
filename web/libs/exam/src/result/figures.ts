/** A figure with one decimal; a dash where there is none. */
export function formatFigure(figure: number | null): string {
  return figure === null ? "—" : figure.toFixed(1);
}
