import { courseMarksQuery, type InventoryItem } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Button, EmptyState, Stack, Text, Title } from "@konomana/ui";
import { CourseArt } from "@konomana/ui/art";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { CourseProgress } from "../parts/CourseProgress";
import { ItemBadges } from "../parts/ItemBadges";
import { nextLesson } from "../parts/progress";
import styles from "./home.module.css";

/** The course to go on with: the last watched one that has not expired, one press away. */
export function GoOn({ items }: { items: readonly InventoryItem[] }) {
  const item = items.find(({ is_expired }) => !is_expired) ?? items[0];
  if (!item)
    return (
      <EmptyState
        title="さっそく始めましょう"
        action={
          <Button component={Link} to={paths.courses()} size="lg">
            講座をさがす
          </Button>
        }
      >
        学年と教科から、学びたい講座をさがしてみましょう。
      </EmptyState>
    );
  return <GoOnWith item={item} />;
}

function GoOnWith({ item }: { item: InventoryItem }) {
  const { course } = item;
  const checked = useQuery(courseMarksQuery("check", course.id));
  const lesson = checked.data ? nextLesson(course, checked.data) : null;
  return (
    <section className={styles.goOn} aria-labelledby="go-on">
      <div className={styles.picture}>
        <CourseArt category={course.category} schoolYear={course.school_year} />
      </div>
      <Stack gap="sm" className={styles.what}>
        <Text fw={700} c="red.8" size="sm" id="go-on">
          {item.is_expired ? "さいきん学んだ講座" : "つづきから学ぶ"}
        </Text>
        <ItemBadges item={item} />
        <Title order={2} size="h3">
          {course.name}
        </Title>
        <Text c="dimmed" className={styles.next}>
          {lesson && !item.is_expired ? `次は「${lesson.name}」` : `${course.teacher.name}先生`}
        </Text>
        <CourseProgress
          name={course.name}
          done={item.check_count}
          lessons={course.lesson_count}
          completed={item.completed_at !== null}
        />
      </Stack>
      <Button
        className={styles.go}
        component={Link}
        to={`${paths.learning(item.id)}${lesson ? `#lesson-${lesson.id}` : ""}`}
        size="lg"
      >
        {item.is_expired ? "学習の記録を見る" : "つづきを学ぶ"}
      </Button>
    </section>
  );
}
