import { lecture, lessonNotesQuery, type Note, noteKeys } from "../../api";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** A note to save. */
interface Writing {
  id: string;
  at: number;
  text: string;
}

/** Saves and deletes a lesson's notes; the list shows the server's state. */
export function useNotes(lesson: number) {
  const queries = useQueryClient();
  const { queryKey } = lessonNotesQuery(lesson);
  const changeList = (change: (notes: Note[]) => Note[]) => {
    queries.setQueryData(queryKey, (notes: Note[] = []) =>
      change(notes).toSorted((a, b) => a.at - b.at),
    );
    void queries.invalidateQueries({ queryKey: noteKeys.all, refetchType: "none" });
  };
  const save = useMutation({
    mutationFn: ({ id, at, text }: Writing) => lecture.saveNote(id, { lesson, at, text }),
    onSuccess: (saved) =>
      changeList((notes) => [...notes.filter(({ id }) => id !== saved.id), saved]),
  });
  const remove = useMutation({
    mutationFn: (id: string) => lecture.removeNote(id),
    onSuccess: (_, gone) => changeList((notes) => notes.filter(({ id }) => id !== gone)),
  });
  return { save, remove };
}
