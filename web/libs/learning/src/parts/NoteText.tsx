import type { Note } from "../api";
import { paths } from "@konomana/paths";
import { formatClock, Group, TextLink } from "@konomana/ui-base";

interface NoteTextProps {
  note: Note;
  /** The video can't be opened. */
  locked?: boolean;
}

/** A note with a link to its second. */
export function NoteText({ note: { lesson, at, text }, locked = false }: NoteTextProps) {
  return (
    <Group gap="0.5rem 1rem" align="baseline" nowrap>
      {locked ? (
        <span className="kn-fixed kn-bold kn-soft">{formatClock(at)}</span>
      ) : (
        <TextLink
          strong
          className="kn-fixed kn-soft"
          to={paths.lecture(lesson.id, { at })}
          aria-label={`${formatClock(at)}から見る`}
        >
          {formatClock(at)}
        </TextLink>
      )}
      <p className="kn-pre">{text}</p>
    </Group>
  );
}
