import type { Course } from "../api";
import { formatDuration, Stack, Title } from "@konomana/ui-base";
import styles from "./CourseScreen.module.css";

/** What a course includes. */
export function Gains({ course }: { course: Course }) {
  const { lesson_count, duration_sum, level, product } = course;
  const gains = [
    `全${lesson_count}レッスン（合計${formatDuration(duration_sum)}）`,
    ...(course.textbook_bundle === null ? [] : ["テキスト（まとめて保存できます）"]),
    ...(course.whiteboard_bundle === null ? [] : ["板書（まとめて保存できます）"]),
    "学習済みチェックとお気に入りで、進み具合を記録",
    ...(product?.period_days ? [`${product.period_days}日間、何度でも学べます`] : []),
  ];
  return (
    <Stack
      as="section"
      gap="xs"
      className={`kn-ruled kn-small ${styles.gains}`}
      aria-labelledby="gains"
    >
      <Title order={2} size="h5" id="gains">
        この講座にふくまれるもの
      </Title>
      <Stack as="ul" gap="xxs">
        {gains.map((gain) => (
          <li key={gain}>{gain}</li>
        ))}
      </Stack>
      <p>レベル：{level}</p>
    </Stack>
  );
}
