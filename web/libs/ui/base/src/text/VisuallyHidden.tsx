import type { ComponentProps } from "react";

interface VisuallyHiddenProps extends ComponentProps<"span"> {
  as?: "span" | "div" | "h2";
}

/** Text for screen readers only. */
export function VisuallyHidden({ as: Tag = "span", ...rest }: VisuallyHiddenProps) {
  return <Tag {...(rest as object)} className="kn-hidden" />;
}
