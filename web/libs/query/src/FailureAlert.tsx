import { ApiError, sentenceOf } from "@konomana/http";
import { Alert, formatDuration } from "@konomana/ui-base";
import { useState } from "react";
import { useCountdown } from "./useCountdown";

interface FailureAlertProps {
  error: Error;
  /** The action that failed. */
  title: string;
  /** The reason, if the form knows it better than the error. */
  sentence?: string | undefined;
}

/**
 * Shows why a call failed, with a countdown after a rate limit. Needs a new `key` for each failure.
 */
export function FailureAlert({ error, title, sentence = sentenceOf(error) }: FailureAlertProps) {
  const wait = (error instanceof ApiError && error.retryAfter) || 0;
  const [until] = useState(() => Date.now() + wait * 1000);
  const [left] = useCountdown(until);
  if (wait > 0 && left === 0) return <Alert color="blue">もう一度お試しいただけます。</Alert>;
  return (
    <Alert color="red" title={title}>
      <p>{sentence}</p>
      {left > 0 && (
        <div role="timer" aria-label="待つ時間">
          あと{formatDuration(left)}
        </div>
      )}
    </Alert>
  );
}
