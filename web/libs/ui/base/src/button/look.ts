/** How a button looks, whether it is one, a link or a label. */
export interface ButtonLook {
  /** The most important step of a page is filled; `quiet` is text alone until somebody points at it. */
  variant?: "filled" | "default" | "light" | "quiet";
  size?: "sm" | "md" | "lg" | "xl";
  /** Round at both ends, as on the public pages. */
  pill?: boolean;
  fullWidth?: boolean;
}

/** The look as attributes, which the stylesheet knows. */
export function lookOf({ variant = "filled", size = "md", pill, fullWidth }: ButtonLook) {
  return {
    "data-variant": variant,
    "data-size": size,
    "data-pill": pill || undefined,
    "data-full-width": fullWidth || undefined,
  };
}
