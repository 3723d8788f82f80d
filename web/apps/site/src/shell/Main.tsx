import type { ReactNode } from "react";
import { MAIN_ID } from "./SkipLink";

/** A screen's content; takes the focus when the page changes. */
export function Main({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
