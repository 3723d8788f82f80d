import { exportCalendar } from "@konomana/testing/exportCalendar";
import { expect, test } from "vitest";
import { eventCalendar } from "./eventCalendar";

test("the file of a moved event over the end of the year", () => {
  const event = {
    id: 3,
    round: 2,
    revision: 4,
    title: "年越し勉強会, 第2部; 質問",
    place: "本校\\3階",
    summary: "年をまたいで、いっしょに勉強します。\n持ち物：ノート",
    starts_at: "2026-12-31T14:30:00Z",
    ends_at: "2026-12-31T16:00:00Z",
  };
  const text = eventCalendar(event, "https://www.konomana.example:8443");
  expect(text).toContain("UID:event-3-2@www.konomana.example\r\nSEQUENCE:4\r\n");
  exportCalendar("event", text, [
    {
      uid: "event-3-2@www.konomana.example",
      sequence: 4,
      title: event.title,
      starts_at: "2026-12-31T23:30:00+09:00",
      ends_at: "2027-01-01T01:00:00+09:00",
      is_cancelled: false,
    },
  ]);
});
