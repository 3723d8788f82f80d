import type { InventoryItem } from "@konomana/learner";
import { Stack, Text, Title, Panel, Group } from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import type { ReactNode } from "react";
import styles from "./GoOn.module.css";

/** The item from which the picture of a course is drawn. */
export type ArtOf = Pick<InventoryItem, "course">;

interface GoOnCardProps {
  /** Why the card is shown, e.g. つづきから学ぶ. */
  label: string;
  /** Undefined if the course is on another page of the learner's courses. */
  art: ArtOf | undefined;
  course: string;
  title: string;
  note: string;
  bar: ReactNode;
  action: ReactNode;
  /** A link beside the action. */
  more: ReactNode;
}

/** The first card of my page: the recommended next step. */
export function GoOnCard({ label, art, course, title, note, bar, action, more }: GoOnCardProps) {
  return (
    <Panel as="section" pad="lg" className={styles.goOn} aria-labelledby="go-on">
      <div className={`kn-band ${styles.picture}`}>
        <CourseArt
          category={art?.course.category ?? ""}
          schoolYear={art?.course.school_year ?? ""}
        />
      </div>
      <Stack gap="xs">
        <Text bold accent size="sm" id="go-on">
          {label}
        </Text>
        <Text size="sm" dimmed>
          {course}
        </Text>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text size="sm" dimmed>
          {note}
        </Text>
        {bar}
      </Stack>
      <Group actions gap="0.5rem 1.25rem">
        {action}
        {more}
      </Group>
    </Panel>
  );
}
