import { Alert } from "@konomana/ui-base";
import { hasExtraTime } from "./extraTime";

/** Shows that the learner has extra time. Renders nothing without extra time. */
export function ExtraTimeNote({ percent }: { percent: number }) {
  if (!hasExtraTime(percent)) return null;
  return (
    <Alert color="blue" title={`試験の時間は${percent / 100}倍です`}>
      時間の延長が認められています。ここにあるのは、延長した時間です。
    </Alert>
  );
}
