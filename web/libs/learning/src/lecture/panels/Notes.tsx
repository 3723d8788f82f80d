import { lessonNotesQuery, type Note } from "../../api";
import { isComposing } from "@konomana/browser";
import { sentenceOf } from "@konomana/http";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import { Alert, Button, LoadingState, Text, Group, Stack, formatClock } from "@konomana/ui-base";
import { TextAreaField } from "@konomana/ui-kit";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import styles from "./panels.module.css";
import { keepNoteDraft, readNoteDraft } from "./noteDraft";
import { useNotes } from "./useNotes";

/** Maximum length of a note in characters. */
const LONGEST = 2000;

interface NotesProps {
  lesson: number;
  /** Current position of the video in seconds. */
  place: () => number;
  goTo: (second: number) => void;
  /** The field for a new note. */
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The learner's notes in this lesson, each at its second, and a form for a new one. */
export function Notes({ lesson, place, goTo, field }: NotesProps) {
  const notes = useQuery(lessonNotesQuery(lesson));
  return (
    <>
      <NewNote lesson={lesson} place={place} field={field} />
      <QueryBoundary query={notes} loading={<LoadingState rows={2} height="4rem" />}>
        {(all) =>
          all.length === 0 ? (
            <Text dimmed>気づいたことを書いておくと、あとでその場面から見直せます。</Text>
          ) : (
            <Stack as="ul" aria-label="このレッスンのノート">
              {all.map((note) => (
                <NoteRow key={note.id} lesson={lesson} note={note} goTo={goTo} />
              ))}
            </Stack>
          )
        }
      </QueryBoundary>
    </>
  );
}

function NewNote({ lesson, place, field }: Pick<NotesProps, "lesson" | "place" | "field">) {
  const { save } = useNotes(lesson);
  const [draft, setDraft] = useState(() => readNoteDraft(lesson));
  useEffect(() => keepNoteDraft(lesson, draft), [lesson, draft]);
  const write = (text: string) =>
    setDraft((before) =>
      // A note has the second at which it was begun.
      before && before.text !== ""
        ? { ...before, text }
        : { id: crypto.randomUUID(), at: Math.floor(place()), text },
    );
  const text = draft?.text ?? "";
  const send = () => {
    if (!draft || text.trim() === "" || save.isPending) return field.current?.focus();
    const { id } = draft;
    // The person may have opened another tab in the meantime.
    const saved = () => {
      if (readNoteDraft(lesson)?.id === id) keepNoteDraft(lesson, null);
      setDraft((now) => (now?.id === id ? null : now));
    };
    save.mutateAsync({ ...draft, text: text.trim() }).then(saved, () => {});
  };
  return (
    <NoteForm onSend={send} failed={save.error}>
      <TextAreaField
        ref={field}
        label={text === "" || !draft ? "ノートを書く" : `${formatClock(draft.at)}にメモ`}
        rows={3}
        maxLength={LONGEST}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        aria-keyshortcuts="n"
      />
      <Button type="submit" aria-disabled={save.isPending}>
        {save.isPending ? "保存しています…" : "ノートを保存"}
      </Button>
    </NoteForm>
  );
}

interface NoteFormProps {
  onSend: () => void;
  failed: Error | null;
  children: ReactNode;
}

/**
 * Enter inserts a line break. With Ctrl or Command it saves the note, except during an IME
 * composition.
 */
function NoteForm({ onSend, failed, children }: NoteFormProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    if (!isComposing(event.nativeEvent)) onSend();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- key events bubble up from its field
    <form
      className={styles.noteForm}
      aria-label="ノート"
      noValidate
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {failed && (
        <Alert color="red" role="alert" title="ノートを保存できませんでした">
          {sentenceOf(failed)}書いた内容はここに残っています。
        </Alert>
      )}
      <Stack gap="sm" mb="lg">
        {children}
      </Stack>
    </form>
  );
}

function NoteRow({
  lesson,
  note,
  goTo,
}: { lesson: number; note: Note } & Pick<NotesProps, "goTo">) {
  const { save, remove } = useNotes(lesson);
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const removing = useMutation({
    mutationFn: () => remove.mutateAsync(note.id),
  });
  useEffect(() => {
    if (text !== null && document.activeElement !== field.current) field.current?.focus();
  }, [text]);
  const when = formatClock(note.at);
  if (text !== null) {
    const send = () => {
      if (text.trim() === "" || save.isPending) return field.current?.focus();
      save.mutate({ ...note, text: text.trim() }, { onSuccess: () => setText(null) });
    };
    return (
      <li>
        <NoteForm onSend={send} failed={save.error}>
          <TextAreaField
            ref={field}
            label={`${when}のノートを書き直す`}
            rows={3}
            maxLength={LONGEST}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group gap="0.5rem 1.25rem">
            <Button type="submit" aria-disabled={save.isPending}>
              {save.isPending ? "保存しています…" : "保存"}
            </Button>
            <Button variant="default" onClick={() => setText(null)}>
              やめる
            </Button>
          </Group>
        </NoteForm>
      </li>
    );
  }
  return (
    <Stack as="li" gap="xs" className="kn-ruled">
      <button
        type="button"
        className={`kn-way ${styles.line}`}
        aria-label={`${when}から見る`}
        onClick={() => goTo(note.at)}
      >
        <span className="kn-fixed kn-bold kn-accent">{when}</span>
      </button>
      <p className="kn-pre">{note.text}</p>
      <Group gap="0.5rem 1.25rem">
        <Button
          variant="default"
          aria-label={`${when}のノートを書き直す`}
          onClick={() => setText(note.text)}
        >
          書き直す
        </Button>
        <ConfirmButton
          label="削除"
          fullLabel={`${when}のノートを削除`}
          title="このノートを削除しますか？"
          yes="削除する"
          doing={removing}
        >
          削除したノートは、もとにもどせません。
        </ConfirmButton>
      </Group>
    </Stack>
  );
}
