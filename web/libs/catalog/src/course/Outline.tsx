import type { Chapter, Unit } from "../api";
import { formatDuration, Stack, Group, Panel, Button, Note } from "@konomana/ui-base";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import styles from "./Outline.module.css";

function lengthOf(units: readonly Unit[]): number {
  return units.flatMap((unit) => unit.lessons).reduce((sum, lesson) => sum + lesson.duration, 0);
}

/** Unfolds the chapter of the lesson in the address, and scrolls to it. */
function useWayToLesson(): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (!/^#lesson-\d+$/.test(hash)) return;
    const lesson = document.getElementById(hash.slice(1));
    const chapter = lesson?.closest("details");
    if (chapter) chapter.open = true;
    lesson?.scrollIntoView();
  }, [hash]);
}

/** The table of contents: chapters, units, and lessons with their summary and length. */
export function Outline({ chapters }: { chapters: readonly Chapter[] }) {
  // At first only the first chapter is open.
  const [open, setOpen] = useState<ReadonlySet<number>>(
    new Set(chapters.slice(0, 1).map(({ id }) => id)),
  );
  useWayToLesson();
  const all = chapters.every(({ id }) => open.has(id));
  const fold = (id: number, isOpen: boolean) =>
    setOpen((others) => {
      const next = new Set(others);
      if (isOpen) next.add(id);
      else next.delete(id);
      return next;
    });
  return (
    <Stack as="section" aria-labelledby="outline">
      <Group gap="0rem 1rem" justify="space-between">
        <h2 id="outline">レッスンの内容</h2>
        <Button
          variant="default"
          size="sm"
          pill
          onClick={() => setOpen(new Set(all ? [] : chapters.map(({ id }) => id)))}
        >
          {all ? "すべて閉じる" : "すべて開く"}
        </Button>
      </Group>
      {chapters.map((chapter, index) => (
        <Panel
          key={chapter.id}
          as="details"
          variant="raised"
          pad="none"
          className={styles.chapter}
          open={open.has(chapter.id)}
          onToggle={({ currentTarget }) => fold(chapter.id, currentTarget.open)}
        >
          <summary className="kn-chevron">
            <h3>
              <span className="kn-subject">第{index + 1}章</span> {chapter.name}
            </h3>
            <Note as="span" className={styles.sum}>
              {chapter.units.reduce((sum, unit) => sum + unit.lessons.length, 0)}本・
              {formatDuration(lengthOf(chapter.units))}
            </Note>
          </summary>
          {chapter.units.map((unit) => (
            <section key={unit.id} className={styles.unit} aria-label={unit.name}>
              <h4 className="kn-subject">{unit.name}</h4>
              <ol className="kn-numbered">
                {unit.lessons.map((lesson) => (
                  <li key={lesson.id} id={`lesson-${lesson.id}`} className={styles.lesson}>
                    <strong>{lesson.name}</strong>
                    <Note className="kn-nowrap">{formatDuration(lesson.duration)}</Note>
                    <Note className={`kn-narrow ${styles.teaches}`}>{lesson.summary}</Note>
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </Panel>
      ))}
    </Stack>
  );
}
