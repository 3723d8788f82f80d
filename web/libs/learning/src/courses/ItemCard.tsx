import type { InventoryItem } from "@konomana/learner";
import { paths } from "@konomana/paths";
import { formatLastDay, Group, Note, Text, Title, Panel, CoverLink } from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { CourseProgress } from "../parts/CourseProgress";
import { Expiry, ItemBadges } from "../parts/ItemBadges";
import styles from "./ItemCard.module.css";

/** One owned course; the whole card leads to it. */
export function ItemCard({ item }: { item: InventoryItem }) {
  const { course } = item;
  const former = item.former?.[0];
  return (
    <Panel
      as="li"
      variant="raised"
      pad="1.25rem"
      className={styles.card}
      data-expired={item.is_expired || undefined}
    >
      <div className={`kn-band ${styles.picture}`}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <ItemBadges item={item} />
      <div>
        <Title order={2} size="h4">
          <CoverLink to={paths.ownedCourse(item.id)}>{course.name}</CoverLink>
        </Title>
        <Text size="sm" dimmed>
          {course.teacher.name}先生
        </Text>
      </div>
      <div className={styles.foot}>
        <CourseProgress
          name={course.name}
          done={item.check_count}
          lessons={course.lesson_count}
          completed={item.completed_at !== null}
        />
        <Group justify="flex-end" mt="xs">
          <Expiry item={item} />
        </Group>
        {former && (
          <Note mt="xxs">
            {formatLastDay(former.expire_at)}に終了した期間の記録も、引きつがれています。
          </Note>
        )}
      </div>
    </Panel>
  );
}
