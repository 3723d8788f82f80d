import { exportCalendar } from "@konomana/testing/exportCalendar";
import { expect, test } from "vitest";
import { examCalendar } from "./examCalendar";

test("the file of an exam of several days", () => {
  const exam = {
    id: 1,
    name: "第1回 コノ模試",
    subjects: ["英語", "数学", "国語"],
    starts_at: "2026-12-25T15:00:00Z",
    ends_at: "2027-01-03T15:00:00Z",
  };
  const text = examCalendar(exam, "https://www.konomana.example");
  expect(text).toContain("UID:exam-1@www.konomana.example\r\nSEQUENCE:0\r\n");
  exportCalendar("exam", text, [
    {
      uid: "exam-1@www.konomana.example",
      sequence: 0,
      title: exam.name,
      starts_at: "2026-12-26T00:00:00+09:00",
      ends_at: "2027-01-04T00:00:00+09:00",
      is_cancelled: false,
    },
  ]);
});
