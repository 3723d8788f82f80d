import { cartOf, lineOf, productOf } from "@konomana/cart/testing";
import { inDays } from "@konomana/exam-card/testing";
import { forgetServerTime } from "@konomana/http";
import { done, json, problem } from "@konomana/testing";
import { beforeEach, expect, test, vi } from "vitest";
import { deviceId } from "../../device/deviceId";
import { addressIn, basicInfo, desiredOf, faultsOnAPhone, open, sheetOf } from "../../examTesting";

const PATH = "/mypage/mockexam/1";
const SHEET = "GET exam/application/1/";
const LIST = "GET exam/application/";
const SEAT = "POST exam/application/1/seat/";

beforeEach(forgetServerTime);

const unapplied = () => sheetOf({ has_seat: false, stage: "seat" });

test("the sheet shows the completed steps and links to the next one", async () => {
  const sheet = sheetOf({
    stage: "desired_schools",
    basic_info: basicInfo,
    desired_schools: [],
  });
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("コノ模試 第1回");
  const steps = screen.getByRole("region", { name: "受験までの流れ" });
  await expect.element(steps.getByText("木下 葵さん・中3")).toBeVisible();
  await expect
    .element(steps.getByRole("link", { name: "志望校を選ぶ" }))
    .toHaveAttribute("href", `${PATH}/schoolinfo`);
  await expect
    .element(steps.getByRole("link", { name: /見る・変える.*基本情報/ }))
    .toHaveAttribute("href", `${PATH}/basicinfo`);
  await expect.element(screen.getByText("50分・18問・100点満点")).toBeVisible();
  await expect.element(screen.getByText("結果の発表")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the admission slip has the candidate number, and only it is printed", async () => {
  const print = vi.spyOn(globalThis, "print").mockReturnValue();
  const sheet = sheetOf({
    stage: "desired_schools",
    basic_info: basicInfo,
    candidate_number: "000042",
  });
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  const slip = screen.getByRole("region", { name: "受験票" });
  await expect
    .element(slip)
    .toMatchTextContent(/受験番号000042氏名木下 葵学校・学年コノマナ中学校・中3/);
  await expect.element(slip.getByText("英語 50分、数学 50分")).toBeVisible();
  await slip.getByRole("button", { name: "受験票を印刷する" }).click();
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
  const printed = [...screen.container.querySelectorAll("section")].filter(
    (section) => section.closest("[data-screen-only]") === null,
  );
  expect(printed).toEqual([slip.element()]);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("without a candidate number there is no slip, and the sheet is printed", async () => {
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheetOf() } });
  await expect.element(screen.getByRole("region", { name: "受験までの流れ" })).toBeVisible();
  expect(screen.getByRole("region", { name: "受験票" }).elements()).toEqual([]);
  expect(
    screen.getByRole("heading", { level: 1 }).element().closest("[data-screen-only]"),
  ).toBeNull();
});

test("applying for a free exam opens the first step", async () => {
  let has_seat = false;
  const { screen, changes, address } = await open(PATH, {
    answers: {
      [SHEET]: () => (has_seat ? sheetOf() : unapplied()),
      [LIST]: () => ({ results: [] }),
      [SEAT]: () => {
        has_seat = true;
        return done();
      },
      "GET accounts/address/": () => addressIn("東京都"),
    },
  });
  await screen.getByRole("button", { name: "申し込む（無料）" }).click();
  await expect.poll(address).toBe(`${PATH}/basicinfo`);
  await expect.element(screen.getByText("コノ模試 第1回に申し込みました。")).toBeVisible();
  expect(changes().map(({ call }) => call)).toEqual([SEAT]);
});

test("when the last seat is gone meanwhile, the sheet shows a message and the current state", async () => {
  let left = 1;
  const { screen } = await open(PATH, {
    answers: {
      [SHEET]: () => sheetOf({ has_seat: false, stage: "seat", exam: { seats_left: left } }),
      [LIST]: () => ({ results: [] }),
      [SEAT]: () => {
        left = 0;
        return problem(409, "SEATS_GONE");
      },
    },
  });
  await screen.getByRole("button", { name: "申し込む（無料）" }).click();
  await expect
    .element(screen.getByRole("alert"))
    .toMatchTextContent(/申し込めませんでした。.*定員/);
  await expect
    .element(screen.getByText("満席のため、お申し込みの受け付けを終わりました。"))
    .toBeVisible();
});

test("an application after the deadline shows the reason", async () => {
  const { screen } = await open(PATH, {
    answers: {
      [SHEET]: unapplied,
      [LIST]: () => ({ results: [] }),
      [SEAT]: () => problem(409, "APPLICATION_CLOSED"),
    },
  });
  await screen.getByRole("button", { name: "申し込む（無料）" }).click();
  await expect.element(screen.getByRole("alert")).toMatchTextContent(/申し込みの期間/);
});

test("an exam with a price leads to the cart", async () => {
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: () =>
        sheetOf({ has_seat: false, stage: "seat", exam: { product_id: 2301, price: 4400 } }),
      [LIST]: () => ({ results: [] }),
      "GET commerce/cart/": () => cartOf(),
      "POST commerce/cart/line/": () => cartOf([lineOf(productOf(2301))]),
    },
  });
  await expect.element(screen.getByText("4,400円（税込）")).toBeVisible();
  await screen.getByRole("button", { name: /カートに入れる/ }).click();
  await expect.element(screen.getByRole("link", { name: /カートを見る/ })).toBeVisible();
  expect(changes().map(({ body }) => body)).toEqual([{ product: 2301, learner: null }]);
});

test("outside the application period there is no button", async () => {
  const soon = await open(PATH, {
    answers: {
      [SHEET]: () =>
        sheetOf({ has_seat: false, stage: "seat", exam: { application_opens_at: inDays(2) } }),
      [LIST]: () => ({ results: [] }),
    },
  });
  await expect.element(soon.screen.getByText(/^お申し込みは、.*からです。$/)).toBeVisible();
  await soon.screen.unmount();
  const closed = await open(PATH, {
    answers: {
      [SHEET]: () =>
        sheetOf({ has_seat: false, stage: "seat", exam: { application_closes_at: inDays(-1) } }),
      [LIST]: () => ({ results: [] }),
    },
  });
  await expect
    .element(closed.screen.getByText("お申し込みの受け付けは終わりました。"))
    .toBeVisible();
  await expect
    .element(closed.screen.getByRole("button", { name: /申し込む/ }))
    .not.toBeInTheDocument();
});

test("a check on another device is shown, and this device's own check too", async () => {
  const elsewhere = { device_id: crypto.randomUUID(), checked_at: inDays(-1), passed: true };
  const sheet = sheetOf({
    stage: "exam",
    basic_info: basicInfo,
    desired_schools: [desiredOf(1, 7)],
    device_checks: [elsewhere],
  });
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect.element(screen.getByText(/^ほかの端末は確認済みです。/)).toBeVisible();
  await expect.element(screen.getByText("第1志望 第7高校")).toBeVisible();
  await expect.element(screen.getByText("準備ができました")).toBeVisible();
  await screen.unmount();
  const here = { ...elsewhere, device_id: deviceId() };
  const own = await open(PATH, {
    answers: { [SHEET]: () => ({ ...sheet, device_checks: [elsewhere, here] }) },
  });
  await expect.element(own.screen.getByText("この端末で受けられます。")).toBeVisible();
});

test("a handed-in paper is shown with the day of the results, never before it", async () => {
  const sheet = sheetOf({ stage: "handed_in", basic_info: basicInfo });
  for (const paper of sheet.papers) paper.state = "handed_in";
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect.element(screen.getByText("すべての教科を提出しました")).toBeVisible();
  await expect.element(screen.getByText("提出済み").first()).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "結果を見る" }))
    .toHaveAttribute("href", `${PATH}/result`);
});

test("after the results the sheet looks back", async () => {
  const sheet = sheetOf({
    stage: "handed_in",
    basic_info: basicInfo,
    exam: { starts_at: inDays(-9), ends_at: inDays(-8), results_at: inDays(-7) },
    device_checks: [{ device_id: crypto.randomUUID(), checked_at: inDays(-9), passed: true }],
  });
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheet } });
  await expect.element(screen.getByText("結果が出ています。")).toBeVisible();
  const steps = screen.getByRole("region", { name: "受験までの流れ" });
  await expect.element(steps.getByText("確認しました。")).toBeVisible();
  await expect.element(steps.getByText("すべての教科を提出しました。")).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "カレンダーに入れる" }))
    .not.toBeInTheDocument();
});

test("the dates are saved as a calendar file", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:nothing";
  });
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { screen } = await open(PATH, { answers: { [SHEET]: () => sheetOf() } });
  await screen.getByRole("button", { name: "カレンダーに入れる" }).click();
  const text = await files[0]?.text();
  expect(text).toContain("SUMMARY:コノ模試 第1回");
  expect(text?.replaceAll("\r\n ", "")).toContain(`URL:${location.origin}/mypage/mockexam/1`);
  expect(clicks).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

/** A response of a server whose clock is `ahead` of this device's. */
const answerAhead = <Body,>(ahead: number, body: Body) =>
  json(body, 200, {
    date: new Date(Date.now() + ahead).toUTCString(),
    "cache-control": "no-store",
  });

const HOUR_MS = 3_600_000;

test.each([
  ["3 h slow", 3 * HOUR_MS],
  ["3 h fast", -3 * HOUR_MS],
])(
  "a device whose clock is %s shows the start for as long as the server allows it",
  async (_, ahead) => {
    const server = Date.now() + ahead;
    const at = (hours: number) => new Date(server + hours * HOUR_MS).toISOString();
    const steps = async (starts: number, ends: number) => {
      forgetServerTime();
      const sheet = sheetOf({
        stage: "exam",
        basic_info: basicInfo,
        exam: { starts_at: at(starts), ends_at: at(ends) },
      });
      const { screen } = await open(PATH, {
        answers: { [SHEET]: () => answerAhead(ahead, sheet) },
      });
      return screen;
    };
    const early = await steps(1, 9);
    await expect.element(early.getByText("準備ができました")).toBeVisible();
    await early.unmount();
    for (const [starts, ends] of [
      [-1, 9],
      [-9, 1],
    ] as const) {
      const running = await steps(starts, ends);
      await expect
        .element(running.getByRole("link", { name: "受験する" }))
        .toHaveAttribute("href", `${PATH}/exam`);
      await expect
        .element(running.getByRole("button", { name: "カレンダーに入れる" }))
        .toBeVisible();
      await running.unmount();
    }
    const late = await steps(-9, -1);
    await expect.element(late.getByText("終わりました", { exact: true })).toBeVisible();
  },
);

test("an open sheet shows the start when its time comes, and the end", async () => {
  const starts_at = new Date(Date.now() + 3000).toISOString();
  const ends_at = new Date(Date.now() + 5000).toISOString();
  const sheet = sheetOf({ stage: "exam", basic_info: basicInfo, exam: { starts_at, ends_at } });
  const { screen, calls } = await open(PATH, {
    answers: { [SHEET]: () => answerAhead(0, sheet) },
  });
  await expect.element(screen.getByText("準備ができました")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "受験する" }), { timeout: 5000 })
    .toBeVisible();
  await expect
    .element(screen.getByText("終わりました", { exact: true }), { timeout: 5000 })
    .toBeVisible();
  expect(calls.filter(({ call }) => call === SHEET)).toHaveLength(1);
});

test("an exam that does not exist is not found", async () => {
  const { screen } = await open(PATH);
  await expect.element(screen.getByRole("heading", { name: "not found" })).toBeVisible();
});
