import type { ReactNode } from "react";
import { MAIN_ID } from "./SkipLink";

/** The main element of a screen. It takes the focus after a navigation. */
export function Main({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
