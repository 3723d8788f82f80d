import { lecture, type HandoutKind, type LectureLesson } from "../api";
import { Text, Group, TitledPanel, Lines } from "@konomana/ui-base";
import { FileButton } from "../parts/FileButton";
import { handoutNames } from "../parts/handouts";

/** The lesson's hand-outs as files. */
export function HandoutFiles({ lesson }: { lesson: LectureLesson }) {
  const { handouts, is_expired } = lesson;
  return (
    <TitledPanel title="配布資料">
      {handouts.length === 0 ? (
        <Text dimmed>このレッスンに配布資料はありません。</Text>
      ) : (
        <Lines>
          {handouts.map(({ kind, page_count }) => (
            <Group key={kind} as="li" gap="0.25rem 1rem" justify="space-between">
              <span>
                {handoutNames[kind]}{" "}
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
            </Group>
          ))}
        </Lines>
      )}
      {is_expired && handouts.length > 0 && (
        <Text size="sm" dimmed>
          期限が切れているため、資料は開けません。
        </Text>
      )}
    </TitledPanel>
  );
}

/** Gets a file's URL, which expires. */
async function addressOf(lesson: number, wanted: HandoutKind): Promise<string> {
  const { handouts } = await lecture.handouts(lesson);
  const handout = handouts.find(({ kind }) => kind === wanted);
  if (handout === undefined) throw new Error(`The lesson has no ${wanted}.`);
  return handout.url;
}
