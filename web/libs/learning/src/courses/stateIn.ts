import type { OwnedState } from "@konomana/paths";

/** In the order in which they are offered. */
export const ownedStates: readonly OwnedState[] = ["all", "learning", "complete", "expired", "new"];

/** The state that an address narrows 所有講座 to. */
export function stateIn(params: URLSearchParams): OwnedState {
  return ownedStates.find((known) => known === params.get("state")) ?? "all";
}
