import { lessonNotesQuery, type LectureLesson, type Note } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { TextLink, LoadingState, Text, TitledPanel, Lines } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { NoteText } from "../parts/NoteText";

/** The learner's notes, in the order of the video. */
export function LessonNotes({ lesson }: { lesson: LectureLesson }) {
  return (
    <TitledPanel title="マイノート">
      <QueryBoundary
        part
        query={useQuery(lessonNotesQuery(lesson.id))}
        loading={<LoadingState rows={2} height="3.5rem" />}
      >
        {(notes) => <Notes lesson={lesson} notes={notes} />}
      </QueryBoundary>
    </TitledPanel>
  );
}

function Notes({ lesson, notes }: { lesson: LectureLesson; notes: readonly Note[] }) {
  if (notes.length === 0)
    return <Text dimmed>レッスンを見ているときに書いたノートが、動画の時間の順に並びます。</Text>;
  return (
    <>
      <Lines>
        {notes.map((note) => (
          <li key={note.id}>
            <NoteText note={note} locked={lesson.is_expired} />
          </li>
        ))}
      </Lines>
      <TextLink to={paths.recent({ show: "note" })} size="sm">
        すべてのノートを見る
      </TextLink>
    </>
  );
}
