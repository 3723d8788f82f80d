import { done, problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { addressIn, basicInfo, faultsOnAPhone, offline, open, sheetOf } from "../../examTesting";

const PATH = "/mypage/mockexam/1/basicinfo";
const SHEET = "GET exam/application/1/";
const SAVE = "PUT exam/application/1/basic-info/";
const ADDRESS = "GET accounts/address/";

const inTokyo = { [ADDRESS]: () => addressIn("東京都") };

beforeEach(() => sessionStorage.clear());

test("the form is prefilled from the profile, and saving leads to the schools", async () => {
  let saved = false;
  const { screen, changes, address } = await open(PATH, {
    answers: {
      ...inTokyo,
      [SHEET]: () => sheetOf(saved ? { stage: "desired_schools", basic_info: basicInfo } : {}),
      [SAVE]: () => {
        saved = true;
        return done();
      },
    },
  });
  await expect.element(screen.getByLabelText("姓")).toHaveValue("木下");
  await expect.element(screen.getByLabelText("セイ（フリガナ）")).toHaveValue("キノシタ");
  await expect.element(screen.getByLabelText("学年")).toHaveValue("高1");
  await expect.element(screen.getByLabelText("住んでいる都道府県")).toHaveValue("東京都");
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await screen.getByLabelText("学年").selectOptions("中3");
  await screen.getByLabelText("通っている学校の名前").fill("コノマナ中学校");
  await screen.getByRole("button", { name: "保存して志望校へ進む" }).click();
  await expect.poll(address).toBe("/mypage/mockexam/1/schoolinfo");
  expect(changes()).toEqual([{ call: SAVE, body: basicInfo }]);
});

test("the form can be filled in and saved by keyboard", async () => {
  const { screen, changes } = await open(PATH, {
    answers: {
      ...inTokyo,
      [SHEET]: () => sheetOf({ basic_info: basicInfo }),
      [SAVE]: () => done(),
    },
  });
  const school = screen.getByLabelText("通っている学校の名前");
  await expect.element(school).toHaveValue("コノマナ中学校");
  (school.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => changes().length).toBe(1);
});

test("field errors are shown beside the fields, and nothing is sent", async () => {
  const { screen, changes } = await open(PATH, {
    answers: { ...inTokyo, [SHEET]: () => sheetOf() },
  });
  await screen.getByLabelText("セイ（フリガナ）").fill("kinoshita");
  await userEvent.tab();
  await screen.getByRole("button", { name: "保存して志望校へ進む" }).click();
  await expect
    .element(screen.getByLabelText("セイ（フリガナ）"))
    .toHaveAccessibleDescription("フリガナは全角カタカナで入力してください。");
  await expect
    .element(screen.getByLabelText("通っている学校の名前"))
    .toHaveAccessibleDescription("学校の名前を入力してください。");
  expect(changes()).toEqual([]);
});

test("input that fails to save offline is kept through a reload", async () => {
  const answers = { ...inTokyo, [SHEET]: () => sheetOf(), [SAVE]: offline };
  const { screen } = await open(PATH, { answers });
  await screen.getByLabelText("通っている学校の名前").fill("みどり中学校");
  await screen.getByRole("button", { name: "保存して志望校へ進む" }).click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/インターネットにつながりません/);
  await expect.element(screen.getByLabelText("通っている学校の名前")).toHaveValue("みどり中学校");
  await screen.unmount();
  const again = await open(PATH, { answers });
  await expect
    .element(again.screen.getByLabelText("通っている学校の名前"))
    .toHaveValue("みどり中学校");
});

test.each([
  ["EXAM_STARTED", /受験を始めたあとは/],
  ["STEP_NOT_OPEN", /終わっていない準備/],
] as const)("%s shows a message", async (code, words) => {
  const { screen } = await open(PATH, {
    answers: {
      ...inTokyo,
      [SHEET]: () => sheetOf({ basic_info: basicInfo }),
      [SAVE]: () => problem(409, code),
    },
  });
  await screen.getByRole("button", { name: "保存して志望校へ進む" }).click();
  await expect.element(screen.getByRole("main").getByRole("alert")).toMatchTextContent(words);
});

test("the form is read-only once a paper was started", async () => {
  const sheet = sheetOf({ stage: "exam", basic_info: basicInfo });
  for (const paper of sheet.papers) paper.state = "running";
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect.element(screen.getByText("試験が始まったため、変更できません")).toBeVisible();
  await expect.element(screen.getByText("コノマナ中学校")).toBeVisible();
  await expect.element(screen.getByRole("textbox")).not.toBeInTheDocument();
});

test("without a seat the address redirects to the sheet, where the learner can apply", async () => {
  const { address } = await open(PATH, {
    answers: {
      [SHEET]: () => sheetOf({ has_seat: false, stage: "seat" }),
      "GET exam/application/": () => ({ results: [] }),
    },
  });
  await expect.poll(address).toBe("/mypage/mockexam/1");
});
