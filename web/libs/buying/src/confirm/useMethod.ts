import { paths } from "@konomana/paths";
import { startTransition, useOptimistic } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { PaymentMethod } from "../api";
import { methodIn } from "../method/methods";

/** The method that the buyer has chosen, which the address keeps. `undefined` leaves the choice to the server. */
export function useMethod() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  // The address follows a moment later: the choice that was made must not be taken back until then.
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
