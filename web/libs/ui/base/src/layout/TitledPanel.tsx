import { type ReactNode, useId } from "react";
import { Title } from "../text/Title";
import { Group } from "./Group";
import { Panel } from "./Panel";
import type { Space } from "./space";

interface TitledPanelProps {
  title: string;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  /** Between the parts of the panel; without it they stand as they would in a text. */
  gap?: Space;
  children: ReactNode;
}

/** One part of a page under a heading of its own. It loads and fails by itself. */
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
