import { Badge, Group, Lines, Note, Text } from "@konomana/ui-base";
import type { Finding } from "./findings";

const states = {
  good: { name: "よし", color: "teal", variant: "filled" },
  care: { name: "気をつける", color: "blue", variant: "outline" },
  bad: { name: "直すところ", color: "red", variant: "filled" },
} as const;

/** The findings, each with its remedy. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <Lines>
      {findings.map(({ name, state, words, mend }) => {
        const { name: badge, color, variant } = states[state];
        return (
          <Group key={name} as="li" gap="sm" justify="space-between" nowrap>
            <div>
              <Text bold>{name}</Text>
              <Text>{words}</Text>
              {mend !== "" && <Note>{mend}</Note>}
            </div>
            <Badge color={color} variant={variant} size="lg">
              {badge}
            </Badge>
          </Group>
        );
      })}
    </Lines>
  );
}
