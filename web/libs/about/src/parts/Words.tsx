import type { ReactNode } from "react";
import { Link } from "react-router";

/** A link inside a sentence. */
export function To({ to, children }: { to: string; children: ReactNode }) {
  return <Link to={to}>{children}</Link>;
}
