import { Alert, formatDateTime, LoadingState, Stack, Text } from "@konomana/ui-base";
import { useEffect, useState } from "react";
import type { ReceiptKey } from "../api";
import { checkReceipt, type GivenReceipt, type Verdict } from "./checkReceipt";
import type { StatedQuestion, Statement } from "./statement";
import styles from "./ReceiptCheckScreen.module.css";

interface ReceiptCheckOutcomeProps {
  given: GivenReceipt;
  keys: readonly ReceiptKey[];
}

/** Checks a receipt and shows the result. */
export function ReceiptCheckOutcome({ given, keys }: ReceiptCheckOutcomeProps) {
  const [found, setFound] = useState<{ given: GivenReceipt; verdict: Verdict } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const check = async () => {
      const verdict = await checkReceipt(given, keys);
      if (isCurrent) setFound({ given, verdict });
    };
    void check();
    return () => {
      isCurrent = false;
    };
  }, [given, keys]);
  if (found?.given !== given) return <LoadingState rows={1} height="6rem" />;
  const { verdict } = found;
  return verdict.kind === "genuine" ? (
    <Genuine {...verdict} given={given} />
  ) : (
    <Refused {...verdict} />
  );
}

type Refusal = Exclude<Verdict["kind"], "genuine">;

const refusals: Readonly<Record<Refusal, { title: string; sentence: string }>> = {
  changed: {
    title: "一致しません",
    sentence: "署名されたあとに、内容が書きかえられています。",
  },
  other_answers: {
    title: "一致しません",
    sentence: "ファイルの中の答えが、署名された記録とちがいます。",
  },
  unknown_key: {
    title: "一致しません",
    sentence: "コノマナが公開している鍵で署名されたものではありません。",
  },
  cut: {
    title: "確かめられません",
    sentence:
      "データが途中で切れています。QRコードをもう一度読み取るか、ファイルをもう一度保存してください。",
  },
  foreign: {
    title: "確かめられません",
    sentence:
      "コノ模試の提出証明ではありません。提出のあとの画面で保存した「receipt-」で始まるファイルを選んでください。",
  },
  newer: {
    title: "確かめられません",
    sentence: "新しい形式の提出証明です。このページを読み込み直してください。",
  },
};

function Refused({ kind }: { kind: Refusal }) {
  const { title, sentence } = refusals[kind];
  return (
    <Alert color="red" title={title}>
      {sentence}
    </Alert>
  );
}

function Genuine({ statement, given }: { statement: Statement; given: GivenReceipt }) {
  const { exam, subject, handedInAt, sealedBy, questions } = statement;
  const answered = questions.filter(({ isAnswered }) => isAnswered).length;
  return (
    <Stack gap="md">
      <Alert color="blue" role="status" title="本物です">
        コノマナが署名した内容から、1文字も変わっていません。
        {given.transcript !== undefined && "ファイルの中の答えも、署名された記録と同じです。"}
      </Alert>
      <dl className="kn-pairs">
        <div>
          <dt>模試</dt>
          <dd>{exam}</dd>
        </div>
        <div>
          <dt>教科</dt>
          <dd>{subject}</dd>
        </div>
        <div>
          <dt>提出</dt>
          <dd>
            {formatDateTime(toIso(handedInAt))}
            {sealedBy === "deadline" && "（時間になったため、自動で提出）"}
          </dd>
        </div>
        <div>
          <dt>答えた数</dt>
          <dd>
            {questions.length}問中{answered}問
          </dd>
        </div>
      </dl>
      <table className="kn-table">
        <caption>
          <strong>問題ごとの記録</strong>
        </caption>
        <thead>
          <tr>
            <th scope="col" className="kn-nowrap">
              問題
            </th>
            <th scope="col">受け取った時刻・ダイジェスト</th>
          </tr>
        </thead>
        <tbody>
          {questions.map((question) => (
            <tr key={question.number}>
              <th scope="row" className="kn-nowrap">
                {question.number}
              </th>
              <td>
                <Recorded {...question} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  );
}

function Recorded({ isAnswered, saved }: StatedQuestion) {
  if (saved === null) return <Text>答えていません</Text>;
  return (
    <>
      <Text>
        {clock.format(saved.at)}
        {!isAnswered && "（答えを消した、またはしるしだけ）"}
      </Text>
      <code className={styles.digest}>{saved.digest}</code>
    </>
  );
}

const clock = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

function toIso(time: number): string {
  return new Date(time).toISOString();
}
