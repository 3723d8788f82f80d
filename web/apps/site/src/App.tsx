import { Alerts } from "@konomana/ui-base";
import { type ReactNode, useEffect, useLayoutEffect } from "react";

/** The root component, in the browser and in the prerender. */
export function App({ children }: { children: ReactNode }) {
  // `start.ts` waits for both events. From `hydrated` on React handles presses,
  useLayoutEffect(() => void dispatchEvent(new Event("hydrated")), []);
  // and from `alive` on an earlier press can be repeated.
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return (
    <>
      <Alerts />
      {children}
    </>
  );
}
