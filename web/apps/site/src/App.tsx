import { Alerts } from "@konomana/ui-base";
import { type ReactNode, useEffect } from "react";

/** What every screen stands on, in the browser and while prerendering. */
export function App({ children }: { children: ReactNode }) {
  // From here on a press is heard: `start.ts` waits for it.
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return (
    <>
      <Alerts />
      {children}
    </>
  );
}
