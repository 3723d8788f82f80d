import { Anchor } from "@konomana/ui";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A link to another screen, high enough for a thumb. */
export function WayTo({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} c="red.9" py={10}>
      {children}
    </Anchor>
  );
}
