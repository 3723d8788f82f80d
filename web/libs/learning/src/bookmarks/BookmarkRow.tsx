import { useMark } from "@konomana/query";
import type { Bookmark } from "@konomana/learner";
import { paths } from "@konomana/paths";
import {
  Badge,
  Button,
  formatDuration,
  Group,
  Text,
  Title,
  TextLink,
  Panel,
} from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { useState } from "react";
import { BookmarkIcon } from "../parts/markIcons";
import styles from "./bookmarks.module.css";

interface BookmarkRowProps {
  bookmark: Bookmark;
  /** The inventory item where the course is owned. */
  item: number | null;
}

/** One course put aside. Taken off it stays in sight until the list is opened again, so that it can be undone. */
export function BookmarkRow({ bookmark, item }: BookmarkRowProps) {
  const { course } = bookmark;
  const [kept, setKept] = useState(true);
  const mark = useMark("bookmark", course.id, setKept);
  return (
    <Panel as="li" pad="1rem 1.25rem" className={styles.row} data-removed={!kept || undefined}>
      <div className={styles.picture}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <div className={styles.text}>
        <Group gap="xxs" mb="xxs">
          <Badge variant="light" color="gray" size="lg">
            {course.school_year} {course.category}
          </Badge>
          {bookmark.is_check && (
            <Badge color="teal" size="lg">
              修了
            </Badge>
          )}
          {item !== null && (
            <Badge variant="outline" color="gray" size="lg">
              持っています
            </Badge>
          )}
        </Group>
        <Title order={2} size="h4">
          <TextLink strong to={item === null ? paths.course(course.id) : paths.ownedCourse(item)}>
            {course.name}
          </TextLink>
        </Title>
        <Text size="sm" dimmed>
          {course.teacher.name}先生・{course.lesson_count}レッスン・
          {formatDuration(course.duration_sum)}
        </Text>
      </div>
      <Button
        className={styles.toggle}
        variant="default"
        aria-pressed={kept}
        aria-label={`${course.name}をあとで見る`}
        leftSection={<BookmarkIcon filled={kept} />}
        onClick={() => mark.mutate(!kept)}
      >
        あとで見る
      </Button>
    </Panel>
  );
}
