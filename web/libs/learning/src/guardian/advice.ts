import type { ChildProgress } from "../api";

/** Suggests a conversation with a child about their week. */
export function adviceFor({
  week_seconds,
  due_count,
}: Pick<ChildProgress, "week_seconds" | "due_count">): string {
  if (week_seconds === 0)
    return "この7日間は、まだ学習していません。急がせるよりも、「次はどんなレッスン？」と聞いてみると、始めるきっかけになります。";
  if (due_count > 0)
    return "復習の時期の問題があります。「いっしょに1問だけやってみようか」と声をかけると、取りかかりやすくなります。";
  return "学習がつづいています。点数よりも、「おもしろかったのはどこ？」と聞いてみると、話しやすくなります。";
}
