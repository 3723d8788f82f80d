/** Formats a figure with one decimal. `null` is a dash. */
export function formatFigure(figure: number | null): string {
  return figure === null ? "—" : figure.toFixed(1);
}

/** Whose result is shown: the reader's own, or that of the child with a name. */
export function whoseResult(child: string | undefined): string {
  return child === undefined ? "あなた" : "お子さま";
}
