import { type ReactNode, useId } from "react";
import { Title } from "../text/Title";
import { Group } from "./Group";
import { Panel } from "./Panel";
import type { Space } from "./space";

interface TitledPanelProps {
  title: string;
  /** Content at the end of the title's line. */
  aside?: ReactNode;
  /** Gap between the children; without it they keep their own margins. */
  gap?: Space;
  children: ReactNode;
}

/** One part of a page with its own heading. It loads and fails independently. */
export function TitledPanel({ title, aside, gap, children }: TitledPanelProps) {
  const id = useId();
  return (
    <Panel as="section" gap={gap} aria-labelledby={id}>
      <Group
        gap="0rem 1rem"
        justify="space-between"
        align="baseline"
        mb={gap === undefined ? "0.5rem" : undefined}
      >
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Panel>
  );
}
