import type { ReactNode } from "react";

/**
 * The sheet of 320 by 260 that a page's picture is drawn on; as wide as its place. It says nothing that the
 * text beside it does not say, so assistive technology passes it by.
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
