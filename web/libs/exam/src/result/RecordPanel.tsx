import { formatDateTime, formatDuration, Note, Stack, Text, TitledPanel } from "@konomana/ui-base";
import type { ExamResult, SittingRecord } from "../api";

interface RecordPanelProps {
  papers: ExamResult["papers"];
  /** Whether the reader is the learner, not a guardian. */
  isOwn: boolean;
}

/** What was recorded during the exam, for those whom it is about. Nothing is decided by it. */
export function RecordPanel({ papers, isOwn }: RecordPanelProps) {
  const recorded = papers.flatMap(({ paper_id, subject, record }) =>
    record === null ? [] : [{ paper_id, subject, record }],
  );
  return (
    <TitledPanel title="受験中の記録" gap="md">
      <Text>
        試験の画面から離れた時間、使った端末の引きつぎ、答えがサーバーに届いた時刻、問題ごとに見ていた時間を記録しています。
      </Text>
      <Note>
        この記録だけで何かを決めることはありません。点数・偏差値・判定には使わず、学校に出すPDFにも入りません。カメラとマイクは使っていません。
        {isOwn
          ? "このページを見られるのは、あなたと、つながっている保護者の方だけです。"
          : "このページを見られるのは、ご本人と、つながっている保護者の方だけです。"}
      </Note>
      {recorded.map(({ paper_id, subject, record }) => (
        <details key={paper_id}>
          <summary>{subject}の記録を見る</summary>
          <Record subject={subject} record={record} />
        </details>
      ))}
    </TitledPanel>
  );
}

const timeOfDay = new Intl.DateTimeFormat("ja-JP", { timeZone: "Asia/Tokyo", timeStyle: "medium" });

const formatTime = (time: string) => timeOfDay.format(Date.parse(time));

function Record({ subject, record }: { subject: string; record: SittingRecord }) {
  const { started_at, handed_in_at, away_seconds, devices, questions } = record;
  return (
    <Stack gap="sm" mt="sm">
      <Text>
        {formatDateTime(started_at)}に開始、{formatTime(handed_in_at)}に提出
      </Text>
      <Text>画面から離れた時間：{formatDuration(away_seconds)}</Text>
      {devices.length === 0 ? (
        <Text>使った端末：1台（引きつぎはありません）</Text>
      ) : (
        <ol className="kn-bullets" aria-label={`${subject}で使った端末`}>
          {devices.map(({ number, since }) => (
            <li key={since}>
              {formatTime(since)}から端末{number}
            </li>
          ))}
        </ol>
      )}
      <table className="kn-table">
        <caption>問題ごとの記録（{subject}）</caption>
        <thead>
          <tr>
            <th scope="col">問題</th>
            <th scope="col">答えが届いた時刻</th>
            <th scope="col">見ていた時間</th>
          </tr>
        </thead>
        <tbody>
          {questions.map(({ number, saved_at, seconds }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              <td>{saved_at === null ? "—" : formatTime(saved_at)}</td>
              <td>{seconds === null ? "—" : formatDuration(seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Note>
        「届いた時刻」は、最後に変えた答えのものです。「見ていた時間」は端末が送った分で、送る前に画面が閉じた分は入りません。
      </Note>
    </Stack>
  );
}
