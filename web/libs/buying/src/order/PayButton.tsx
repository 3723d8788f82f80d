import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { orderQuery, orders } from "../api";

interface PayButtonProps {
  /** The order's identifier. */
  id: string;
  children: string;
}

/** Opens the provider's page for the card payment. */
export function PayButton({ id, children }: PayButtonProps) {
  const queries = useQueryClient();
  const paying = useMutation({
    mutationFn: () => orders.pay(id),
    onSuccess: (order) => {
      queries.setQueryData(orderQuery(id).queryKey, order);
      if (order.payment.page_url !== null) location.assign(order.payment.page_url);
    },
    // The order may have been paid or have ended meanwhile.
    onError: () => queries.invalidateQueries(orderQuery(id)),
  });
  const { reset } = paying;
  useEffect(() => {
    // The back button restores the page from the back/forward cache as it was.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, [reset]);
  const leaving = paying.isPending || paying.data?.payment.page_url != null;
  return (
    <Stack gap="sm">
      {paying.isError && (
        <FailureAlert
          key={paying.submittedAt}
          error={paying.error}
          title="お支払いのページを開けませんでした"
        />
      )}
      <Button size="lg" busy={leaving} onClick={() => paying.mutate()}>
        {leaving ? "お支払いのページを開いています…" : children}
      </Button>
    </Stack>
  );
}
