import { Badge } from "@konomana/ui-base";
import type { SubscriptionState } from "../api";
import { stateNames } from "./states";

export function StateBadge({ state }: { state: SubscriptionState }) {
  const { name, color } = stateNames[state];
  return (
    <Badge color={color} variant={color === "gray" ? "outline" : "filled"} size="lg">
      {name}
    </Badge>
  );
}
