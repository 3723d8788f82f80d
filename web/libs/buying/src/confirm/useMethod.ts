import { paths } from "@konomana/paths";
import { startTransition, useOptimistic } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { PaymentMethod } from "../api";
import { methodIn } from "../method/methods";

/** The chosen payment method, stored in the address. `undefined` lets the server choose. */
export function useMethod() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  // The address changes a moment later. Until then the optimistic value keeps the choice.
  const [method, show] = useOptimistic(methodIn(search));
  const choose = (next: PaymentMethod | undefined) =>
    startTransition(async () => {
      show(next);
      await navigate(paths.cartConfirm({ method: next }), {
        replace: true,
        preventScrollReset: true,
      });
    });
  return { method, choose };
}
