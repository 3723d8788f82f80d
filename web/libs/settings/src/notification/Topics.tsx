import { FailureAlert } from "@konomana/query";
import { Checkbox, Group, Lines, Note, Text } from "@konomana/ui-base";
import { hasScope, useSession } from "@konomana/session";
import type { Notifications } from "../api";
import { useSaveNotifications } from "./useSaveNotifications";

type Topic = Notifications["mail_off"][number];

interface TopicChoice {
  topic: Topic;
  title: string;
  text: string;
  /** Only people with this scope get such notifications. */
  scope?: "learner" | "guardian";
}

/** The topics, with their names and examples. */
const topics: readonly TopicChoice[] = [
  { topic: "answer", title: "先生の回答", text: "質問に先生が回答したとき", scope: "learner" },
  {
    topic: "interview",
    title: "面談の中止",
    text: "予約した面談が、学校の都合で中止になったとき",
    scope: "learner",
  },
  {
    topic: "event",
    title: "イベント",
    text: "申し込んだイベントが近づいたとき、キャンセル待ちに空きが出たとき",
  },
  { topic: "exam_result", title: "模試の成績", text: "受験した模試の成績が確定したとき" },
  {
    topic: "weekly_report",
    title: "週間レポート",
    text: "毎週月曜日の朝、つながっているお子さまの1週間の学習",
    scope: "guardian",
  },
  { topic: "notice", title: "新しいお知らせ", text: "コノマナからの新しいお知らせが出たとき" },
];

/** The topics and the ways to get them. */
export function Topics({
  settings: { mail_off, push_off, push_key },
}: {
  settings: Notifications;
}) {
  const { save, saving } = useSaveNotifications();
  const { user } = useSession();
  const has = (scope: "learner" | "guardian") => user !== null && hasScope(user, scope);
  const shown = topics.filter(({ scope }) => scope === undefined || has(scope));
  return (
    <>
      {saving.isError && (
        <FailureAlert key={saving.submittedAt} error={saving.error} title="保存できませんでした" />
      )}
      <Lines>
        {shown.map(({ topic, title, text }) => (
          <Group key={topic} as="li" gap="0.25rem 1rem" justify="space-between">
            <div>
              <Text bold>{title}</Text>
              <Note>{text}</Note>
            </div>
            <Group gap="md">
              <Checkbox
                label="メール"
                aria-label={`${title}をメールで受け取る`}
                checked={!mail_off.includes(topic)}
                onChange={({ currentTarget: { checked } }) =>
                  save({ mail_off: changed(mail_off, topic, checked) })
                }
              />
              {push_key !== null && (
                <Checkbox
                  label="通知"
                  aria-label={`${title}を通知で受け取る`}
                  checked={!push_off.includes(topic)}
                  onChange={({ currentTarget: { checked } }) =>
                    save({ push_off: changed(push_off, topic, checked) })
                  }
                />
              )}
            </Group>
          </Group>
        ))}
      </Lines>
    </>
  );
}

/** The switched-off topics after one of them was changed. */
function changed(off: readonly Topic[], topic: Topic, isOn: boolean): Topic[] {
  const others = off.filter((one) => one !== topic);
  return isOn ? others : [...others, topic];
}
