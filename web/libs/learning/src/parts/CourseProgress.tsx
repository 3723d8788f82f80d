import { Group, ProgressBar, Text } from "@konomana/ui-base";
import { percentDone } from "./progress";

interface CourseProgressProps {
  /** Subject of the bar in its accessible name. */
  name: string;
  done: number;
  lessons: number;
  /** Whether the course was completed once: lessons added later do not reduce the 100 %. */
  completed?: boolean;
}

/** The checked lessons of a course, as a bar and as numbers. */
export function CourseProgress({ name, done, lessons, completed = false }: CourseProgressProps) {
  const percent = completed ? 100 : percentDone(done, lessons);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb="xxs">
        <Text size="sm" dimmed>
          学習済み {done} / {lessons}レッスン
        </Text>
        <Text size="sm" bold>
          {percent}%
        </Text>
      </Group>
      <ProgressBar
        value={percent}
        color={percent === 100 ? "teal" : "red"}
        label={`${name}の進みぐあい`}
      />
    </div>
  );
}
