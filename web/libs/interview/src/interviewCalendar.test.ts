import { exportCalendar } from "@konomana/testing/exportCalendar";
import { expect, test } from "vitest";
import { interviewCalendar } from "./interviewCalendar";

test("the file of a changed interview on 29 February", () => {
  const calendar_id = "01936f2a-4c00-7a31-8b52-1f6d0c9e4aff";
  const interview = {
    kind: 1,
    kind_name: "学習相談",
    teacher: "佐倉みのり",
    starts_at: "2028-02-28T15:00:00Z",
    ends_at: "2028-02-28T15:20:00Z",
    calendar_id,
    calendar_sequence: 1,
  };
  const text = interviewCalendar(interview, "https://www.konomana.example");
  expect(text).toContain(`UID:interview-${calendar_id}@www.konomana.example\r\nSEQUENCE:1\r\n`);
  exportCalendar("interview", text, [
    {
      uid: `interview-${calendar_id}@www.konomana.example`,
      sequence: 1,
      title: "学習相談（佐倉みのり先生）",
      starts_at: "2028-02-29T00:00:00+09:00",
      ends_at: "2028-02-29T00:20:00+09:00",
      is_cancelled: false,
    },
  ]);
  const ofChild = interviewCalendar(interview, "https://www.konomana.example", "018a");
  expect(ofChild.replaceAll("\r\n ", "")).toContain("/mypage/interview?child=018a");
  expect(ofChild.replaceAll("\r\n ", "")).not.toContain("参加できます");
  const ofThree = interviewCalendar({ ...interview, kind: 3 }, "https://www.konomana.example", "1");
  expect(ofThree.replaceAll("\r\n ", "")).toContain("参加できます");
});
