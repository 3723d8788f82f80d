import { Button, Group, Note, Stack } from "@konomana/ui-base";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { drawAll, HEIGHT, isEmpty, type Point, type Stroke, WIDTH } from "./strokes";
import { toBlob } from "@konomana/picture";
import styles from "./written.module.css";

interface DrawingPadProps {
  /** Loads the picture of the answer. The sheet goes on with it if it is a drawing. `null`: there is none. */
  load: (() => Promise<Blob>) | null;
  /** Called after each change. `null`: nothing is drawn. */
  onChange: (drawing: Blob | null) => void;
}

/** `photo`: the answer is a photo, so the sheet starts empty. */
type Start = "loading" | "ready" | "photo" | "failed";

const notes: Readonly<Record<Start, string | null>> = {
  loading: "手書きの答えを読み込んでいます。",
  ready: null,
  photo: "いまの答えは写真です。書くと、手書きの答えに変わります。",
  failed: "前の手書きを表示できません。書くと、新しい答えに変わります。",
};

/** A sheet to draw on with a finger, a pen or a mouse. Every change can be undone. */
export function DrawingPad({ load, onChange }: DrawingPadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const line = useRef<Point[] | null>(null);
  /** The number of changes: only the newest picture is reported. */
  const changes = useRef(0);
  const [background, setBackground] = useState<ImageBitmap | null>(null);
  const [start, setStart] = useState<Start>(load === null ? "ready" : "loading");
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [tool, setTool] = useState<"pen" | "eraser">("pen");
  const isBlank = isEmpty(strokes, background);

  const draw = (all: readonly Stroke[]) => {
    const context = canvas.current?.getContext("2d");
    if (context) drawAll(context, all, background);
  };
  // Every later picture is drawn on this sheet.
  const [first] = useState(() => load);
  useEffect(() => {
    if (first === null) return;
    let isCurrent = true;
    const goOn = async (find: () => Promise<Blob>) => {
      const bitmap = await find().then(createImageBitmap, () => null);
      if (!isCurrent) return;
      const isDrawing = bitmap?.width === WIDTH && bitmap.height === HEIGHT;
      if (isDrawing) setBackground(bitmap);
      if (bitmap === null) setStart("failed");
      else setStart(isDrawing ? "ready" : "photo");
    };
    void goOn(first).catch(() => setStart("failed"));
    return () => {
      isCurrent = false;
    };
  }, [first]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) drawAll(context, strokes, background);
  }, [strokes, background]);

  const change = (all: readonly Stroke[]) => {
    const { current } = canvas;
    if (current === null) return;
    setStrokes(all);
    setStart("ready");
    draw(all);
    const turn = ++changes.current;
    const report = async () => {
      const drawing = await toBlob(current, "image/png");
      if (turn === changes.current) onChange(drawing);
    };
    if (isEmpty(all, background)) onChange(null);
    else void report();
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    const { currentTarget, isPrimary, button, pointerId } = event;
    const isClosed = currentTarget.matches("fieldset:disabled *");
    if (!isPrimary || button !== 0 || isClosed || start === "loading") return;
    currentTarget.setPointerCapture(pointerId);
    line.current = [pointOf(event)];
    draw([...strokes, { tool, points: line.current }]);
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (line.current === null || !event.isPrimary) return;
    line.current.push(pointOf(event));
    draw([...strokes, { tool, points: line.current }]);
  };
  const end = () => {
    const points = line.current;
    line.current = null;
    if (points !== null) change([...strokes, { tool, points }]);
  };

  return (
    <Stack gap="xs">
      <Group gap="xs" role="group" aria-label="手書きの道具">
        <Group gap="xs">
          <Button
            pill
            size="sm"
            variant={tool === "pen" ? "filled" : "default"}
            aria-pressed={tool === "pen"}
            onClick={() => setTool("pen")}
          >
            ペン
          </Button>
          <Button
            pill
            size="sm"
            variant={tool === "eraser" ? "filled" : "default"}
            aria-pressed={tool === "eraser"}
            onClick={() => setTool("eraser")}
          >
            消しゴム
          </Button>
        </Group>
        <Group gap="xs">
          <Button
            pill
            size="sm"
            variant="default"
            aria-disabled={strokes.length === 0}
            onClick={() => strokes.length > 0 && change(strokes.slice(0, -1))}
          >
            1つもどす
          </Button>
          <Button
            pill
            size="sm"
            variant="default"
            aria-disabled={isBlank}
            onClick={() => !isBlank && change([...strokes, { tool: "clear" }])}
          >
            全部消す
          </Button>
        </Group>
      </Group>
      <canvas
        ref={canvas}
        className={styles.pad}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={isBlank ? "手書き用紙。まだ何も書いていません" : "手書きの答え"}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {notes[start] !== null && <Note role="status">{notes[start]}</Note>}
      <Note>
        指・ペン・マウスで書けます。キーボードで答えるときは「文字で答える」を選んでください。
      </Note>
    </Stack>
  );
}

/** The point of the drawing under the pointer. */
function pointOf({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: ((clientX - left) * WIDTH) / width, y: ((clientY - top) * HEIGHT) / height };
}
