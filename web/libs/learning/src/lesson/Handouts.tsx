import type { LectureLesson } from "@konomana/api";
import { Text } from "@konomana/ui";
import { handoutNames } from "../parts/handouts";
import styles from "./lesson.module.css";
import { Section } from "./Section";

/** What is handed out with the lesson. */
export function Handouts({ lesson: { handouts, is_expired } }: { lesson: LectureLesson }) {
  return (
    <Section title="配布資料">
      {handouts.length === 0 ? (
        <Text c="dimmed">このレッスンに配布資料はありません。</Text>
      ) : (
        <>
          <ul className={styles.lines}>
            {handouts.map(({ kind, page_count }) => (
              <li key={kind} className={styles.line}>
                {handoutNames[kind]}
                <Text span size="sm" c="dimmed">
                  {page_count}ページ
                </Text>
              </li>
            ))}
          </ul>
          <Text size="sm" c="dimmed">
            {is_expired
              ? "期限が切れているため、資料は開けません。"
              : "動画といっしょに、話しているところのページを見られます。"}
          </Text>
        </>
      )}
    </Section>
  );
}
