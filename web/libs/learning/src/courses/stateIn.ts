import type { OwnedState } from "@konomana/paths";

/** In display order. */
export const ownedStates: readonly OwnedState[] = ["all", "learning", "complete", "expired", "new"];

/** The state filter of 所有講座 in an address. */
export function stateIn(params: URLSearchParams): OwnedState {
  return ownedStates.find((known) => known === params.get("state")) ?? "all";
}
