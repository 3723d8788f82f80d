import { expect, test } from "vitest";
import cases from "./calendarCases.json";
import { calendarFile, calendarFileOf } from "./calendarFile";

const event = {
  uid: "exam-1@konomana.example",
  title: "コノ模試 第1回",
  description: "英語, 数学; 国語\n1教科ずつ受けられます。".repeat(3),
  starts_at: "2026-12-13T00:00:00Z",
  ends_at: "2026-12-13T09:00:00Z",
  url: "https://konomana.example/mypage/mockexam/1",
};
const file = () => calendarFile(event, new Date("2026-11-26T00:00:00Z"));

test("a calendar file has its times in UTC and a reminder one day before", () => {
  expect(file()).toContain("DTSTART:20261213T000000Z\r\n");
  expect(file()).toContain("DTEND:20261213T090000Z\r\n");
  expect(file()).toContain("DTSTAMP:20261126T000000Z\r\n");
  expect(file()).toContain("TRIGGER:-P1D\r\n");
});

test("a changed event keeps its UID and has a higher sequence", () => {
  expect(file()).toContain("UID:exam-1@konomana.example\r\nSEQUENCE:0\r\n");
  expect(calendarFile({ ...event, sequence: 2 })).toContain("SEQUENCE:2\r\n");
});

test("a place is optional", () => {
  expect(file()).not.toContain("LOCATION");
  expect(calendarFile({ ...event, place: "本校, 3階" })).toContain(
    `LOCATION:${String.raw`本校\, 3階`}\r\n`,
  );
});

test("a cancelled event says so, and has no reminder", () => {
  const events = [event, { ...event, uid: "exam-2@konomana.example", isCancelled: true }];
  const [, first = "", second = ""] = calendarFileOf(events, "PT10M").split("BEGIN:VEVENT");
  expect(first).toContain("TRIGGER:-PT10M\r\n");
  expect(first).not.toContain("STATUS");
  expect(second).toContain("STATUS:CANCELLED\r\n");
  expect(second).not.toContain("VALARM");
});

test("no line exceeds 75 bytes, and unfolding restores the text", () => {
  const bytes = file()
    .split("\r\n")
    .map((line) => new TextEncoder().encode(line).length);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(75);
  const unfolded = file().replaceAll("\r\n ", "");
  expect(unfolded).toContain(
    `DESCRIPTION:${String.raw`英語\, 数学\; 国語\n1教科ずつ受けられます。`.repeat(3)}\r\n`,
  );
});

test("events are written as the edge writes them", () => {
  const written = calendarFileOf(cases.events, "PT10M", new Date(cases.now));
  const events = written.slice(written.indexOf("BEGIN:VEVENT"));
  expect(events.split("\r\n").slice(0, -1)).toEqual(cases.lines);
});
