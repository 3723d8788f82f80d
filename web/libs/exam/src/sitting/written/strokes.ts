/** A point of a drawing, in the drawing's own pixels. */
export interface Point {
  x: number;
  y: number;
}

/** One line of the pen or the eraser, or the removal of everything before it. */
export type Stroke = { tool: "pen" | "eraser"; points: readonly Point[] } | { tool: "clear" };

/** The size of a drawing in pixels. */
export const WIDTH = 1_200;
export const HEIGHT = 900;

const WIDTHS = { pen: 5, eraser: 48 } as const;

/** Draws everything on white. `background` is an earlier drawing. */
export function drawAll(
  context: CanvasRenderingContext2D,
  strokes: readonly Stroke[],
  background: ImageBitmap | null,
): void {
  const from = strokes.findLastIndex(({ tool }) => tool === "clear");
  context.fillStyle = "white";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  if (from === -1 && background !== null) context.drawImage(background, 0, 0, WIDTH, HEIGHT);
  for (const stroke of strokes.slice(from + 1))
    if (stroke.tool !== "clear") drawLine(context, stroke);
}

function drawLine(
  context: CanvasRenderingContext2D,
  { tool, points }: Exclude<Stroke, { tool: "clear" }>,
): void {
  const [first] = points;
  if (first === undefined) return;
  context.strokeStyle = tool === "pen" ? "black" : "white";
  context.lineWidth = WIDTHS[tool];
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(first.x, first.y);
  // A point without a line is a dot.
  if (points.length === 1) context.lineTo(first.x, first.y);
  for (const { x, y } of points.slice(1)) context.lineTo(x, y);
  context.stroke();
}

/** Whether nothing is drawn. A sheet that was erased stroke by stroke is not empty. */
export function isEmpty(strokes: readonly Stroke[], background: ImageBitmap | null): boolean {
  const last = strokes.at(-1);
  return last === undefined ? background === null : last.tool === "clear";
}
