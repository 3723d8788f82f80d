import { openedLessonQuery } from "../api";
import { QueryBoundary } from "@konomana/query";
import { Head, LoadingState } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { Lecture } from "./Lecture";

export { LessonsBeside } from "./panels/LessonList";

/** /lecture/{id}: the player of one lesson. */
export function LectureScreen() {
  const { id = "" } = useParams();
  return <Opened key={id} id={id} />;
}

function Opened({ id }: { id: string }) {
  const query = useQuery(openedLessonQuery(id));
  // Another device may have sent a newer position than a cached lesson has. Data that was fresh
  // when the page opened is used, even after it becomes stale.
  const [wasNew] = useState(!query.isStale);
  const isNewest = query.isFetchedAfterMount || wasNew;
  const newest = isNewest ? query : { ...query, data: undefined, isPending: true };
  return (
    <QueryBoundary query={newest} loading={<LectureLoading />}>
      {(lesson) => <Lecture lesson={lesson} />}
    </QueryBoundary>
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
