import { Alerts } from "@konomana/ui-base";
import { type ReactNode, useEffect, useLayoutEffect } from "react";

/** What every screen stands on, in the browser and while prerendering. */
export function App({ children }: { children: ReactNode }) {
  // `start.ts` waits for both: from here on a press is heard,
  useLayoutEffect(() => void dispatchEvent(new Event("hydrated")), []);
  // and from here on an earlier one can be done again.
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return (
    <>
      <Alerts />
      {children}
    </>
  );
}
