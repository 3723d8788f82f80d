import { ProgressBar } from "@konomana/ui-base";

interface WatchBarProps {
  /** Subject of the bar in its accessible name. */
  name: string;
  /** Position in the video, in seconds. */
  position: number;
  duration: number;
}

/** The position in a video as a thin bar; the numbers are beside it. */
export function WatchBar({ name, position, duration }: WatchBarProps) {
  const percent = duration > 0 ? Math.min(100, Math.round((position / duration) * 100)) : 0;
  return <ProgressBar size="sm" value={percent} color="red" label={`${name}を見たところ`} />;
}
