import type { ReactNode } from "react";

/**
 * The frame of a page's picture: 320 by 260 units, as wide as its container. It is decorative, so
 * it is hidden from assistive technology.
 */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 320 260"
      width="320"
      height="260"
      style={{ width: "100%", height: "auto" }}
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}
