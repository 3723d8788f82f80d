import { notesQuery, type NotePage } from "../api";
import { paths } from "@konomana/paths";
import { keepComposing, PagedList, usePaged } from "@konomana/query";
import {
  Button,
  EmptyState,
  LoadingState,
  Text,
  ButtonLink,
  Stack,
  Panel,
  TextLink,
  Group,
} from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { NoteText } from "../parts/NoteText";

/** All notes of the learner, with a search; the address has the search text. */
export function MyNotes() {
  const q = useSearchParams()[0].get("q")?.trim() ?? "";
  const paged = usePaged();
  const query = useQuery(notesQuery({ q, page: paged.page }, paged.link));
  return (
    <>
      <Search key={q} q={q} />
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="6.5rem" />}>
        {(list) => <Notes list={list} q={q} />}
      </PagedList>
    </>
  );
}

function Search({ q }: { q: string }) {
  const [text, setText] = useState(q);
  const navigate = useNavigate();
  const search = (event: FormEvent) => {
    event.preventDefault();
    void navigate(paths.recent({ show: "note", q: text.trim() }));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- key events bubble up from its field
    <form role="search" onSubmit={search} onKeyDown={keepComposing}>
      <Group gap="sm" align="end" mb="lg">
        <TextField
          className="kn-grow"
          type="search"
          label="ノートをさがす"
          placeholder="書いたことば"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          さがす
        </Button>
      </Group>
    </form>
  );
}

function Notes({ list, q }: { list: NotePage; q: string }) {
  if (list.count === 0) return q === "" ? <NoNotes /> : <NothingFound q={q} />;
  return (
    <>
      <Text dimmed mb="md" role="status">
        {q === "" ? `全${list.count}件` : `「${q}」のノート ${list.count}件`}
      </Text>
      <Stack as="ul" gap="sm">
        {list.results.map((note) => (
          <Panel key={note.id} as="li" pad="0.875rem 1.25rem">
            <Text size="sm" dimmed>
              {note.course.name}
            </Text>
            <TextLink strong to={paths.lesson(note.lesson.id)}>
              {note.lesson.name}
            </TextLink>
            <NoteText note={note} />
          </Panel>
        ))}
      </Stack>
    </>
  );
}

function NoNotes() {
  return (
    <EmptyState
      title="まだノートがありません"
      action={<ButtonLink to={paths.ownedCourses()}>所有講座を見る</ButtonLink>}
    >
      レッスンを見ながら書いたノートが、ここに集まります。書いた時間から、動画をもう一度見られます。
    </EmptyState>
  );
}

function NothingFound({ q }: { q: string }) {
  return (
    <EmptyState
      title={`「${q}」のノートは見つかりませんでした`}
      action={<ButtonLink to={paths.recent({ show: "note" })}>すべてのノートを見る</ButtonLink>}
    >
      ことばを短くすると、見つかることがあります。
    </EmptyState>
  );
}
