import { useEffect, useRef, useState } from "react";

/** Time without input after which the controls over a playing video are hidden. */
const REST_MS = 3000;

export interface Idle {
  /** Whether the video plays and there was no input for `REST_MS`. */
  idle: boolean;
  /** Call on input: shows the controls and restarts the time. */
  wake: () => void;
  /** Hides the controls now. */
  rest: () => void;
}

/** Decides when the controls over a video are hidden. */
export function useIdle(playing: boolean): Idle {
  const [resting, setResting] = useState(false);
  const restart = useRef(() => {});
  useEffect(() => {
    if (!playing) return;
    let timer: ReturnType<typeof setTimeout>;
    restart.current = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setResting(true), REST_MS);
    };
    restart.current();
    return () => {
      clearTimeout(timer);
      restart.current = () => {};
      setResting(false);
    };
  }, [playing]);
  return {
    idle: playing && resting,
    wake: () => {
      setResting(false);
      restart.current();
    },
    rest: () => setResting(playing),
  };
}
