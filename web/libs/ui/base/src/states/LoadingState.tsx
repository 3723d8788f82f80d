import { Skeleton } from "../notice/Skeleton";
import { VisuallyHidden } from "../text/VisuallyHidden";
import { Stack } from "../layout/Stack";

interface LoadingStateProps {
  /** Number of placeholder blocks. */
  rows?: number;
  /** Height of a block, so that the layout does not shift when the content arrives. */
  height?: number | string;
}

/** A placeholder for loading content. */
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
