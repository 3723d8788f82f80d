import type { CSSProperties } from "react";

/** A distance of the theme: 6, 10, 12, 16, 20 and 32 px. */
export type Space = "xxs" | "xs" | "sm" | "md" | "lg" | "xl";

/** What stands free above and below something. */
export interface Margins {
  mt?: Space | undefined;
  mb?: Space | undefined;
}

export const space = (size: Space): string => `var(--kn-space-${size})`;

/** Margins as a style; none where none is asked for. */
export function marginsOf({ mt, mb }: Margins): CSSProperties | undefined {
  if (mt === undefined && mb === undefined) return undefined;
  return { marginTop: mt && space(mt), marginBottom: mb && space(mb) };
}
