import { Text } from "@konomana/ui-base";
import type { CertificateProgress } from "./certificateCalls";

/** What the certificate needs, and what is still missing. */
export function CertificateSteps({ progress }: { progress: CertificateProgress }) {
  return (
    <>
      <Text>
        {progress.question_count === 0
          ? "すべてのレッスンを学ぶと、修了証を受け取れます。"
          : "すべてのレッスンを学び、確認問題の70%以上に正解すると、修了証を受け取れます。"}
      </Text>
      <dl className="kn-pairs">
        <div>
          <dt>レッスン</dt>
          <dd>{stateLessons(progress)}</dd>
        </div>
        {progress.question_count > 0 && (
          <div>
            <dt>確認問題</dt>
            <dd>{stateQuestions(progress)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function stateLessons({ lesson_count, missing_lesson_count }: CertificateProgress): string {
  return missing_lesson_count === 0
    ? "すべて学習済みです"
    : `あと${missing_lesson_count}レッスンです（全${lesson_count}レッスン）`;
}

function stateQuestions(progress: CertificateProgress): string {
  const { question_count, right_count, needed_right_count } = progress;
  const reached = `全${question_count}問のうち${right_count}問に正解しています`;
  const missing = needed_right_count - right_count;
  return missing > 0
    ? `あと${missing}問の正解が必要です（${reached}）`
    : `必要な数に届いています（${reached}）`;
}
