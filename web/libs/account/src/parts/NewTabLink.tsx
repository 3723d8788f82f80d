import { TextLink } from "@konomana/ui-base";

/** A link that opens a new tab, so typed input is not lost. */
export function NewTabLink({ to, children }: { to: string; children: string }) {
  return (
    <TextLink to={to} target="_blank" size="sm">
      {children}
    </TextLink>
  );
}
