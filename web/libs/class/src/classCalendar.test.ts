import { exportCalendar } from "@konomana/testing/exportCalendar";
import { expect, test } from "vitest";
import { classCalendar } from "./classCalendar";

/** What another program must read of a lesson of 50 minutes. The third one is cancelled. */
const event = (id: number, sequence: number, title: string, day: string, hour: string) => ({
  uid: `live-lesson-${id}@www.konomana.example`,
  sequence,
  title: `中2数学クラス ${title}`,
  starts_at: `${day}T${hour}:00:00+09:00`,
  ends_at: `${day}T${hour}:50:00+09:00`,
  is_cancelled: id === 3,
});

test("the file of a class with a moved and a cancelled lesson", () => {
  const common = { title: "", revision: 0, is_cancelled: false, reason: "" };
  const lessons = [
    {
      ...common,
      id: 1,
      number: 1,
      title: "一次関数",
      starts_at: "2026-12-30T10:00:00Z",
      ends_at: "2026-12-30T10:50:00Z",
    },
    {
      ...common,
      id: 2,
      number: 2,
      revision: 1,
      reason: "会場の都合",
      starts_at: "2027-01-01T00:00:00Z",
      ends_at: "2027-01-01T00:50:00Z",
    },
    {
      ...common,
      id: 3,
      number: 3,
      revision: 2,
      is_cancelled: true,
      reason: "学校行事のため",
      starts_at: "2027-01-13T10:00:00Z",
      ends_at: "2027-01-13T10:50:00Z",
    },
  ];
  const named = { name: "中2数学クラス", teacher: { id: 2, name: "高瀬航" } };
  const text = classCalendar(named, lessons, "https://www.konomana.example");
  const events = text.replaceAll("\r\n ", "").split("BEGIN:VEVENT").slice(1);
  expect(events).toHaveLength(3);
  expect(events[0]).toContain("UID:live-lesson-1@www.konomana.example\r\nSEQUENCE:0\r\n");
  expect(events[0]).toContain("SUMMARY:中2数学クラス 第1回 一次関数\r\n");
  expect(events[1]).toContain("UID:live-lesson-2@www.konomana.example\r\nSEQUENCE:1\r\n");
  expect(events[1]).toContain("DTSTART:20270101T000000Z\r\n");
  expect(events[2]).toContain("SEQUENCE:2\r\n");
  expect(events[2]).toContain("STATUS:CANCELLED\r\n");
  exportCalendar("class", text, [
    event(1, 0, "第1回 一次関数", "2026-12-30", "19"),
    event(2, 1, "第2回", "2027-01-01", "09"),
    event(3, 2, "第3回", "2027-01-13", "19"),
  ]);
});
