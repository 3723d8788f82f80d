import { lessonQuery, type LectureLesson } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { Anchor, formatDuration, Head, LoadingState, Text, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

/** /lecture/{id}: the player of one lesson. */
export function Component() {
  const { id = "" } = useParams();
  return (
    <Loaded query={useQuery(lessonQuery(id))} loading={<LectureLoading />}>
      {(lesson) => <Lecture lesson={lesson} />}
    </Loaded>
  );
}

function LectureLoading() {
  return (
    <>
      <Head title="レッスン" />
      <LoadingState rows={1} height="24rem" />
      <LoadingState rows={2} height="4rem" />
    </>
  );
}

function Lecture({ lesson }: { lesson: LectureLesson }) {
  return (
    <>
      <Head title={lesson.name} />
      <Anchor component={Link} to={paths.learning(lesson.inventory_id)} c="red.9" py={10}>
        ← {lesson.course.name}
      </Anchor>
      <Title order={1} size="h2">
        {lesson.name}
      </Title>
      <Text c="dimmed">
        {lesson.number} / {lesson.lesson_count}・{formatDuration(lesson.duration)}
      </Text>
      <Text mt="sm">{lesson.summary}</Text>
    </>
  );
}
