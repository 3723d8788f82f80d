import { lecture, type HandoutKind, type LectureLesson } from "../api";
import { Text } from "@konomana/ui-base";
import { FileButton } from "../parts/FileButton";
import { handoutNames } from "../parts/handouts";
import styles from "./lesson.module.css";
import { Section } from "./Section";

/** What is handed out with the lesson, to read before it or to print. */
export function HandoutFiles({ lesson }: { lesson: LectureLesson }) {
  const { handouts, is_expired } = lesson;
  return (
    <Section title="配布資料">
      {handouts.length === 0 ? (
        <Text dimmed>このレッスンに配布資料はありません。</Text>
      ) : (
        <ul className={styles.lines}>
          {handouts.map(({ kind, page_count }) => (
            <li key={kind} className={styles.line}>
              <span>
                {handoutNames[kind]}
                <Text as="span" size="sm" dimmed>
                  PDF・{page_count}ページ
                </Text>
              </span>
              {!is_expired && (
                <FileButton
                  name={handoutNames[kind]}
                  file={`${lesson.name} ${handoutNames[kind]}.pdf`}
                  address={() => addressOf(lesson.id, kind)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {is_expired && handouts.length > 0 && (
        <Text size="sm" dimmed>
          期限が切れているため、資料は開けません。
        </Text>
      )}
    </Section>
  );
}

/** A file's address works for a while only. */
async function addressOf(lesson: number, wanted: HandoutKind): Promise<string> {
  const { handouts } = await lecture.handouts(lesson);
  const handout = handouts.find(({ kind }) => kind === wanted);
  if (handout === undefined) throw new Error(`The lesson has no ${wanted}.`);
  return handout.url;
}
