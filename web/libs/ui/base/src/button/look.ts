/** The look of a button, a link or a label. */
export interface ButtonLook {
  /** The most important step of a page is `filled`. `quiet` has no background until hover. */
  variant?: "filled" | "default" | "light" | "quiet";
  size?: "sm" | "md" | "lg" | "xl";
  /** Fully rounded ends, as on the public pages. */
  pill?: boolean;
  fullWidth?: boolean;
}

/** The look as data attributes for the stylesheet. */
export function lookOf({ variant = "filled", size = "md", pill, fullWidth }: ButtonLook) {
  return {
    "data-variant": variant,
    "data-size": size,
    "data-pill": pill || undefined,
    "data-full-width": fullWidth || undefined,
  };
}
