import { type MouseEvent, type PointerEvent, useRef, useState } from "react";
import { leap, toggle } from "./useCommands";
import type { Idle } from "./useIdle";

/** Two taps within this time are one double tap. */
const DOUBLE_MS = 300;
/** Seconds that a double tap on a side seeks. */
const LEAP_S = 10;

type Side = "back" | "middle" | "on";

/** A seek by double tap, shown over the video for a moment. */
export interface Ripple {
  side: Side;
  at: number;
}

/**
 * Handles clicks and taps on the video. A click plays or pauses. A tap never pauses: it shows or hides the controls. A
 * double tap on a side seeks; a tap in the middle of a paused video plays it.
 */
export function usePresses(video: HTMLVideoElement | null, { idle, wake, rest }: Idle) {
  const byMouse = useRef(true);
  const last = useRef<Ripple | null>(null);
  const [ripple, setRipple] = useState<Ripple | null>(null);

  const tap = (tapped: HTMLVideoElement, side: Side, at: number) => {
    const { current: before } = last;
    last.current = { side, at };
    if (side !== "middle" && before?.side === side && at - before.at < DOUBLE_MS) {
      leap(tapped, side === "on" ? LEAP_S : -LEAP_S);
      setRipple(last.current);
      wake();
    } else if (side === "middle" && tapped.paused) toggle(tapped);
    else if (idle) wake();
    else rest();
  };

  return {
    ripple,
    endRipple: () => setRipple(null),
    presses: {
      onPointerDown: ({ pointerType }: PointerEvent) => {
        byMouse.current = pointerType === "mouse";
      },
      onClick: (event: MouseEvent<HTMLVideoElement>) => {
        if (!video) return;
        if (byMouse.current) toggle(video);
        else tap(video, sideOf(event), event.timeStamp);
      },
    },
  };
}

/** The third of the video that was pressed. */
function sideOf({ clientX, currentTarget }: MouseEvent): Side {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = (clientX - left) / width;
  if (share < 1 / 3) return "back";
  return share > 2 / 3 ? "on" : "middle";
}
