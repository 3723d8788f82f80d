import { ApiError } from "@konomana/http";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { type Order, orderQuery, orders } from "../api";
import { invalidateBeside } from "./invalidateBeside";
import { isOpen, phaseOf } from "./orderPhase";
import { pauseAfter } from "./pause";

interface UseOrderOptions {
  /** Makes the server ask the payment provider first, e.g. when the buyer returns from its page. */
  check?: boolean;
}

/**
 * An order that is polled until it is settled. The pauses grow. It is fetched while the page is
 * visible, at once when the page becomes visible again, and when the network is back.
 */
export function useOrder(id: string, { check = false }: UseOrderOptions = {}) {
  const asked = useRef({ times: 0, isChecked: !check });
  return useQuery({
    ...orderQuery(id),
    queryFn: async ({ client, signal }): Promise<Order> => {
      const now = asked.current;
      now.times += 1;
      const order = await (now.isChecked ? orders.find(id, signal) : checkOrder(id, signal));
      now.isChecked = true;
      const before = client.getQueryData(orderQuery(id).queryKey);
      if (before === undefined ? check : before.state !== order.state)
        invalidateBeside(client, order);
      return order;
    },
    refetchInterval: ({ state: { data, error } }) =>
      isSettled(data, error) ? false : pauseAfter(asked.current.times),
    refetchOnWindowFocus: "always",
    refetchOnReconnect: "always",
  });
}

/**
 * The order after a check with the provider. If the check fails but the server is reachable, the
 * stored order.
 */
async function checkOrder(id: string, signal: AbortSignal): Promise<Order> {
  try {
    return await orders.check(id);
  } catch (error) {
    if (!(error instanceof ApiError) || isOutOfReach(error)) throw error;
    return orders.find(id, signal);
  }
}

function isSettled(order: Order | undefined, error: Error | null): boolean {
  if (order !== undefined) return !isOpen(phaseOf(order));
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** Whether a call failed because the server could not be reached. */
export function isOutOfReach(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === "NETWORK" || error.code === "TIMEOUT");
}
