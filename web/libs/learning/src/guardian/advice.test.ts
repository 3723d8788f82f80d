import { expect, test } from "vitest";
import { adviceFor } from "./advice";

test.each([
  [0, 3, "次はどんなレッスン？"],
  [60, 3, "いっしょに1問だけ"],
  [60, 0, "おもしろかったのはどこ？"],
])("after %i seconds and with %i questions due: %s", (week_seconds, due_count, words) => {
  expect(adviceFor({ week_seconds, due_count })).toContain(words);
});
