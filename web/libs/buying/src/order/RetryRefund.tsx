import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { orderQuery, retryRefund } from "../api";

interface RetryRefundProps {
  order: string;
  refund: string;
}

/** Retries a failed refund to a bank account, with another account. */
export function RetryRefund({ order, refund }: RetryRefundProps) {
  const queries = useQueryClient();
  const retrying = useMutation({
    mutationFn: () => retryRefund(order, refund),
    onSuccess: (now) => queries.setQueryData(orderQuery(order).queryKey, now),
  });
  return (
    <Stack gap="sm">
      <div>
        <Button variant="default" busy={retrying.isPending} onClick={() => retrying.mutate()}>
          返金先の口座をもう一度入力する
        </Button>
      </div>
      {retrying.isError && (
        <FailureAlert
          key={retrying.submittedAt}
          error={retrying.error}
          title="もう一度の返金を申し込めませんでした"
        />
      )}
    </Stack>
  );
}
