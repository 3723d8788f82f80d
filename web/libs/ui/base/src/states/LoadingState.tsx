import { Skeleton } from "../notice/Skeleton";
import { VisuallyHidden } from "../text/VisuallyHidden";
import { Stack } from "../layout/Stack";

interface LoadingStateProps {
  /** How many blocks stand in for what is coming. */
  rows?: number;
  /** How high a block is, so that nothing moves when the real thing arrives. */
  height?: number | string;
}

/** Holds the room of what is loading. */
export function LoadingState({ rows = 3, height = "6rem" }: LoadingStateProps) {
  return (
    <Stack role="status" aria-busy="true">
      <VisuallyHidden>読み込んでいます</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
