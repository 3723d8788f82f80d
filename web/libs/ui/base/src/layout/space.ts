import type { CSSProperties } from "react";

const tokens = ["xxs", "xs", "sm", "md", "lg", "xl"] as const;

/**
 * A distance of the theme (6, 10, 12, 16, 20 and 32 px) or another length; two lengths for rows and
 * columns.
 */
export type Space =
  | (typeof tokens)[number]
  | `${number}rem`
  | `${number}rem ${number}rem`
  | `clamp(${string})`;

/** Top and bottom margins. */
export interface Margins {
  mt?: Space | undefined;
  mb?: Space | undefined;
}

const isToken = (size: string): boolean => (tokens as readonly string[]).includes(size);

/** A distance as a CSS value. */
export function space(size: Space): string;
export function space(size: Space | undefined): string | undefined;
export function space(size: Space | undefined): string | undefined {
  return size !== undefined && isToken(size) ? `var(--kn-space-${size})` : size;
}

/** Margins as a style; undefined if there are none. */
export function marginsOf({ mt, mb }: Margins): CSSProperties | undefined {
  if (mt === undefined && mb === undefined) return undefined;
  return { marginTop: space(mt), marginBottom: space(mb) };
}

/** Margins with a font size of the theme; `md` inherits the size. */
export function textStyle(size: string, margins: Margins): CSSProperties {
  return {
    "--size": size === "md" ? "1em" : `var(--kn-size-${size})`,
    ...marginsOf(margins),
  } as CSSProperties;
}
