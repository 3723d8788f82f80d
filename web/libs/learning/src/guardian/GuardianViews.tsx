import type { GuardianView } from "../api";
import { Button, formatDateTime, Group, Lines, Note, Text } from "@konomana/ui-base";
import { useState } from "react";

/** Number of views that are shown at first. */
const FIRST = 10;

/** What a guardian can view. */
const things: Readonly<Record<string, string>> = {
  overview: "この画面",
  progress: "学習の進みぐあい（マイページ）",
  exam_result: "模試の結果",
  weekly_report: "週間レポート",
  interview: "面談",
};

/** When guardians viewed the learner's data, newest first. */
export function GuardianViews({ views }: { views: readonly GuardianView[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? views : views.slice(0, FIRST);
  return (
    <>
      {views.length === 0 ? (
        <Text dimmed>この90日間は、見られていません。</Text>
      ) : (
        <Lines>
          {shown.map((view) => (
            <Group
              key={`${view.at} ${view.name} ${view.what}`}
              as="li"
              gap="0.5rem 1rem"
              justify="space-between"
            >
              <Text>
                {view.name}さん：{things[view.what] ?? view.what}
              </Text>
              <Text size="sm" dimmed>
                {formatDateTime(view.at)}
              </Text>
            </Group>
          ))}
        </Lines>
      )}
      {shown.length < views.length && (
        <div>
          <Button variant="default" onClick={() => setWhole(true)}>
            のこりの{views.length - shown.length}件も見る
          </Button>
        </div>
      )}
      <Note>90日のあいだ残ります。10分のうちに何度か見られたときは、1回に数えます。</Note>
    </>
  );
}
