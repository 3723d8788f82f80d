import { inventoryItemQuery, type InventoryItem } from "@konomana/learner";
import { watchedInQuery } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { TextLink, Head, LoadingState, Stack } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { CertificatePanel } from "../certificate/CertificatePanel";
import { CourseHeader } from "./CourseHeader";
import { OwnedOutline } from "./OwnedOutline";
import { useCourseMarks } from "./useCourseMarks";

/** /mypage/learnning/{id}: one owned course; `id` is the inventory item's id. */
export function OwnedCourseScreen() {
  const { id = "" } = useParams();
  const query = useQuery(inventoryItemQuery(id));
  return (
    <>
      <TextLink to={paths.ownedCourses()}>← 所有講座にもどる</TextLink>
      <QueryBoundary query={query} loading={<CourseLoading />}>
        {(item) => <OwnedCourse item={item} />}
      </QueryBoundary>
    </>
  );
}

function CourseLoading() {
  return (
    <>
      <Head title="講座" />
      <LoadingState rows={1} height="16rem" />
      <LoadingState rows={6} height="4rem" />
    </>
  );
}

function OwnedCourse({ item }: { item: InventoryItem }) {
  const marks = useCourseMarks(item.course.id);
  const watched = useQuery(watchedInQuery(item.course.id));
  return (
    <>
      <Head title={item.course.name} />
      <CourseHeader item={item} marks={marks.data ?? null} watched={watched} />
      <Stack gap="xl">
        <CertificatePanel course={item.course.id} />
        <QueryBoundary query={marks} loading={<LoadingState rows={6} height="4rem" />}>
          {(loaded) => <OwnedOutline item={item} marks={loaded} watched={watched.data ?? []} />}
        </QueryBoundary>
      </Stack>
    </>
  );
}
