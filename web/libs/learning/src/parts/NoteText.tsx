import type { Note } from "../api";
import { paths } from "@konomana/paths";
import { Group, TextLink } from "@konomana/ui-base";
import { clock } from "./clock";

interface NoteTextProps {
  note: Note;
  /** The video can't be opened. */
  locked?: boolean;
}

/** A note as it was written, after the second it belongs to, which leads there. */
export function NoteText({ note: { lesson, at, text }, locked = false }: NoteTextProps) {
  return (
    <Group gap="0.5rem 1rem" align="baseline" nowrap>
      {locked ? (
        <span className="kn-fixed kn-bold kn-soft">{clock(at)}</span>
      ) : (
        <TextLink
          strong
          className="kn-fixed kn-soft"
          to={paths.lecture(lesson.id, { at })}
          aria-label={`${clock(at)}から見る`}
        >
          {clock(at)}
        </TextLink>
      )}
      <p className="kn-pre">{text}</p>
    </Group>
  );
}
