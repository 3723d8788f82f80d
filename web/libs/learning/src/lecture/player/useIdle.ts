import { useEffect, useRef, useState } from "react";

/** How long the controls stay over a playing picture while nobody moves. */
const REST_MS = 3000;

export interface Idle {
  /** Whether the video plays and nobody has moved for a while. */
  idle: boolean;
  /** Somebody has moved. */
  wake: () => void;
  /** Begins the rest at once. */
  rest: () => void;
}

/** Tells when the controls may go away from a picture. */
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
