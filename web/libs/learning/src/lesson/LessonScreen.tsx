import { openedLessonQuery, type LectureLesson } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { TextLink, Head, LoadingState, Stack, Neighbours } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { HandoutFiles } from "./HandoutFiles";
import { LessonHead } from "./LessonHead";
import { LessonNotes } from "./LessonNotes";
import { QuestionsState } from "./QuestionsState";
import { VideoMarks } from "./VideoMarks";

/** /mypage/lecture/{id}: one lesson before it is played. */
export function LessonScreen() {
  const { id = "" } = useParams();
  // Shows the new progress at once after a return from the player.
  const query = useQuery(openedLessonQuery(id));
  return (
    <QueryBoundary query={query} loading={<LessonLoading />}>
      {(lesson) => <Lesson key={lesson.id} lesson={lesson} />}
    </QueryBoundary>
  );
}

function LessonLoading() {
  return (
    <>
      <Head title="レッスン" />
      <LoadingState rows={1} height="22rem" />
      <LoadingState rows={3} height="8rem" />
    </>
  );
}

function Lesson({ lesson }: { lesson: LectureLesson }) {
  return (
    <>
      <Head title={lesson.name} />
      <TextLink to={paths.ownedLesson(lesson.inventory_id, lesson.id)}>
        ← {lesson.course.name}
      </TextLink>
      <Stack gap="lg">
        <LessonHead lesson={lesson} />
        <QuestionsState lesson={lesson} />
        <LessonNotes lesson={lesson} />
        <HandoutFiles lesson={lesson} />
        <VideoMarks lesson={lesson} />
        <Neighbours
          label="前後のレッスン"
          previous={neighbourOf(lesson.previous, "前のレッスン")}
          next={neighbourOf(lesson.next, "次のレッスン")}
        />
      </Stack>
    </>
  );
}

function neighbourOf(lesson: LectureLesson["next"], label: string) {
  return lesson && { to: paths.lesson(lesson.id), label, title: lesson.name };
}
