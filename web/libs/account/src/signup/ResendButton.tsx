import { ApiError, sentenceOf } from "@konomana/http";
import { entry } from "../api";
import { useCountdown } from "@konomana/query";
import { Button, showBlue, Text } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { type PendingSignUp, pendingSignUp } from "./pendingSignUp";

/** Sends the code again. Shows the remaining wait. */
export function ResendButton({ pending, onSent }: { pending: PendingSignUp; onSent: () => void }) {
  const [left, waitUntil] = useCountdown(pending.resendAt);
  const waitFor = (seconds: number) => {
    const resendAt = Date.now() + seconds * 1000;
    pendingSignUp.keep({ ...pending, resendAt });
    waitUntil(resendAt);
  };
  const sending = useMutation({
    mutationFn: () => entry.resend(pending.signup),
    onSuccess: ({ resend_after }) => {
      waitFor(resend_after);
      onSent();
      showBlue("新しい確認コードを送りました。");
    },
    onError: (error) => {
      if (error instanceof ApiError && error.retryAfter) waitFor(error.retryAfter);
    },
  });
  const waits = left > 0 || sending.isPending;
  return (
    <>
      <Button variant="quiet" busy={waits} onClick={() => sending.mutate()}>
        {left > 0 ? `コードをもう一度送る（あと${left}秒）` : "コードをもう一度送る"}
      </Button>
      {sending.isError && left === 0 && (
        <Text role="alert" size="sm" accent>
          {sentenceOf(sending.error)}
        </Text>
      )}
    </>
  );
}
