import type { ReactNode } from "react";

interface FactProps {
  name: string;
  children: ReactNode;
}

/** A row of a list with the class `kn-facts`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
