import { type OwnedState, ownedStates } from "@konomana/paths";

/** The state that an address narrows 所有講座 to. */
export function stateIn(params: URLSearchParams): OwnedState {
  return ownedStates.find((known) => known === params.get("state")) ?? ownedStates[0];
}
