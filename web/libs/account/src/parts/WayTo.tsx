import { TextLink } from "@konomana/ui-base";
import type { ReactNode } from "react";

/** A link to another screen, high enough for a thumb. */
export function WayTo({ to, children }: { to: string; children: ReactNode }) {
  return <TextLink to={to}>{children}</TextLink>;
}
