import { type Answers, done, problem } from "@konomana/testing";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { DesiredSchool } from "../../api";
import {
  addressIn,
  basicInfo,
  desiredOf,
  faultsOnAPhone,
  offline,
  open,
  schoolOf,
  sheetOf,
} from "../../examTesting";

const PATH = "/mypage/mockexam/1/schoolinfo";
const SHEET = "GET exam/application/1/";
const FIND = "GET exam/school/";
const rankCall = <Method extends "PUT" | "DELETE">(method: Method, rank: number) =>
  `${method} exam/application/1/desired-school/${rank}/` as const;

const sheetWith = (...desired_schools: DesiredSchool[]) =>
  sheetOf({
    stage: desired_schools.length === 0 ? "desired_schools" : "device_check",
    basic_info: basicInfo,
    desired_schools,
  });
const schoolsOf = (...results: ReturnType<typeof schoolOf>[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

test("a school is found by kana, its department is chosen, and it is saved at once", async () => {
  let chosen: DesiredSchool[] = [];
  const { screen, calls, changes, address } = await open(PATH, {
    answers: {
      [SHEET]: () => sheetWith(...chosen),
      [FIND]: () => schoolsOf(schoolOf(7), schoolOf(8)),
      "PUT exam/application/1/desired-school/1/": () => {
        chosen = [desiredOf(1, 7, { department: { id: 71, name: "理数科" } })];
        return done();
      },
    },
  });
  await screen.getByRole("link", { name: "第1志望を選ぶ" }).click();
  await expect.poll(address).toBe(`${PATH}/1`);
  // The learner's prefecture is the default.
  await expect.element(screen.getByLabelText("都道府県")).toHaveValue("東京都");
  await screen.getByLabelText("学校の名前").fill("だいこう");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => calls.at(-1)?.call).toBe(`${FIND}?q=だいこう&prefecture=東京都&page=1`);
  await expect.element(screen.getByText("2校")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await screen.getByRole("button", { name: "第7高校を選ぶ" }).click();
  await screen.getByRole("radio", { name: "理数科" }).click();
  await screen.getByRole("button", { name: "第1志望にする" }).click();
  await expect.poll(address).toBe(PATH);
  expect(changes()).toEqual([
    { call: rankCall("PUT", 1), body: { school_id: 7, department_id: 71, school_marks: null } },
  ]);
  await expect.element(screen.getByText("理数科・東京都")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "端末の確認へ進む" }))
    .toHaveAttribute("href", "/mypage/mockexam/1/environmentinfo");
});

test("marks are requested and validated where a school uses them", async () => {
  const { screen, changes, address } = await open(`${PATH}/1`, {
    answers: {
      [SHEET]: () => sheetWith(),
      [FIND]: () => schoolsOf(schoolOf(7, { counts_school_marks: true })),
      "PUT exam/application/1/desired-school/1/": () => done(),
    },
  });
  await screen.getByRole("button", { name: "第7高校を選ぶ" }).click();
  const marks = screen.getByLabelText("内申点（9教科の合計）");
  await marks.fill("46");
  await userEvent.tab();
  await screen.getByRole("button", { name: "第1志望にする" }).click();
  await expect.element(marks).toHaveAccessibleDescription(/内申点は、9から45までの数字で/);
  await expect.element(screen.getByText("学科・コースを選んでください。")).toBeVisible();
  expect(changes()).toEqual([]);
  await screen.getByRole("radio", { name: "普通科" }).click();
  await marks.fill("３８");
  await screen.getByRole("button", { name: "第1志望にする" }).click();
  await expect.poll(address).toBe(PATH);
  expect(changes().at(-1)?.body).toEqual({ school_id: 7, department_id: 70, school_marks: 38 });
});

test("a school of another rank can't be chosen twice, and the server's refusal is shown", async () => {
  const { screen } = await open(`${PATH}/2`, {
    answers: {
      [SHEET]: () => sheetWith(desiredOf(1, 7)),
      [FIND]: () => schoolsOf(schoolOf(7), schoolOf(8)),
      "PUT exam/application/1/desired-school/2/": () => problem(409, "SCHOOL_TWICE"),
    },
  });
  await expect.element(screen.getByText("第1志望です")).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "第7高校を選ぶ" }))
    .not.toBeInTheDocument();
  await screen.getByRole("button", { name: "第8高校を選ぶ" }).click();
  await screen.getByRole("radio", { name: "普通科" }).click();
  await screen.getByRole("button", { name: "第2志望にする" }).click();
  await expect.element(screen.getByRole("main").getByRole("alert")).toMatchTextContent(/同じ学校/);
});

test("an empty search result suggests what to try", async () => {
  const { screen } = await open(`${PATH}/1`, {
    answers: { [SHEET]: () => sheetWith(), [FIND]: () => schoolsOf() },
  });
  await expect.element(screen.getByText("学校が見つかりませんでした")).toBeVisible();
});

/**
 * Stores desired schools as the server does. Calls for which `fails` returns true have no
 * connection.
 */
function keeping(schools: DesiredSchool[], fails: (call: string) => boolean = () => false) {
  let kept = schools;
  const answers: Answers = { [SHEET]: () => sheetWith(...kept) };
  for (const rank of [1, 2, 3]) {
    answers[rankCall("PUT", rank)] = ({ body }) => {
      if (fails(rankCall("PUT", rank))) return offline();
      kept = [...kept.filter((one) => one.rank !== rank), desiredOf(rank, body.school_id)];
      return done();
    };
    answers[rankCall("DELETE", rank)] = () => {
      if (kept.every((one) => one.rank !== rank)) return problem(404, "NOT_FOUND");
      kept = kept
        .filter((one) => one.rank !== rank)
        .map((one) => (one.rank > rank ? { ...one, rank: one.rank - 1 } : one));
      return done();
    };
  }
  return { answers, names: () => kept.map(({ rank, school }) => `${rank} ${school.name}`) };
}

test("schools are moved and removed", async () => {
  const { answers, names } = keeping([desiredOf(1, 7), desiredOf(2, 8), desiredOf(3, 9)]);
  const { screen } = await open(PATH, { answers });
  await screen.getByRole("button", { name: /第8高校を第1志望にする/ }).click();
  await expect.element(screen.getByText("第8高校を第1志望にしました。")).toBeVisible();
  expect(names()).toEqual(["1 第8高校", "2 第7高校", "3 第9高校"]);
  await screen.getByRole("button", { name: "第7高校を志望校から外す" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "外す", exact: true }).click();
  await expect.element(screen.getByText("第7高校を外しました。")).toBeVisible();
  expect(names()).toEqual(["1 第8高校", "2 第9高校"]);
  await expect
    .element(screen.getByRole("list", { name: "志望校" }))
    .toMatchTextContent(/第1志望第8高校.*第2志望第9高校/);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("an interrupted reorder continues without losing a school", async () => {
  let down = true;
  const { answers, names } = keeping(
    [desiredOf(1, 7), desiredOf(2, 8)],
    (call) => down && call === rankCall("PUT", 2),
  );
  const { screen } = await open(PATH, { answers });
  await screen.getByRole("button", { name: /第8高校を第1志望にする/ }).click();
  await expect.element(screen.getByText(/順番を変えられませんでした。/)).toBeVisible();
  down = false;
  await screen.getByRole("button", { name: "もう一度" }).click();
  await expect.element(screen.getByText("第8高校を第1志望にしました。")).toBeVisible();
  expect(names()).toEqual(["1 第8高校", "2 第7高校"]);
});

test("a rank that would leave a gap redirects to the first free one", async () => {
  const { address } = await open(`${PATH}/5`, {
    answers: { [SHEET]: () => sheetWith(desiredOf(1, 7)), [FIND]: () => schoolsOf() },
  });
  await expect.poll(address).toBe(`${PATH}/2`);
});

test("at most five schools can be chosen", async () => {
  const { screen } = await open(PATH, {
    answers: { [SHEET]: () => sheetWith(...[1, 2, 3, 4, 5].map((rank) => desiredOf(rank, rank))) },
  });
  await expect.element(screen.getByRole("link", { name: "端末の確認へ進む" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: /志望を選ぶ/ })).not.toBeInTheDocument();
});

test("the schools are read-only once a paper was started", async () => {
  const sheet = { ...sheetWith(desiredOf(1, 7)), stage: "exam" as const };
  for (const paper of sheet.papers) paper.state = "handed_in";
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect.element(screen.getByText("試験が始まったため、変更できません")).toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});

test("before the basic info is saved the address redirects to it", async () => {
  const { address } = await open(PATH, {
    answers: { [SHEET]: () => sheetOf(), "GET accounts/address/": () => addressIn("") },
  });
  await expect.poll(address).toBe("/mypage/mockexam/1/basicinfo");
});
