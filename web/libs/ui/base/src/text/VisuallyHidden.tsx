import type { ComponentProps } from "react";

interface VisuallyHiddenProps extends ComponentProps<"span"> {
  as?: "span" | "div" | "h2";
}

/** For those who hear the page. */
export function VisuallyHidden({ as: Tag = "span", ...rest }: VisuallyHiddenProps) {
  return <Tag {...(rest as object)} className="kn-hidden" />;
}
