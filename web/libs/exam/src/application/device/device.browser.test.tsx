import { inDays } from "@konomana/exam-card/testing";
import { json, listOf, problem } from "@konomana/testing";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { deviceId } from "../../device/deviceId";
import { basicInfo, desiredOf, faultsOnAPhone, offline, open, sheetOf } from "../../examTesting";
import * as tone from "./tone";

const PATH = "/mypage/mockexam/1/environmentinfo";
const SHEET = "GET exam/application/1/";
const PROBE = "GET exam/check/";

vi.mock("./tone", { spy: true });

/** A response of a server whose clock is `ahead` of this device's. */
const probe =
  (ahead = 0) =>
  () =>
    json(listOf(), 200, { date: new Date(Date.now() + ahead).toUTCString() });

const ready = () =>
  sheetOf({ stage: "device_check", basic_info: basicInfo, desired_schools: [desiredOf(1, 7)] });

const saveCall = () => `PUT exam/application/1/device-check/${deviceId()}/`;

let played: number;

beforeEach(() => {
  localStorage.clear();
  played = 0;
  vi.mocked(tone.playTones).mockImplementation(async (count) => {
    played = count;
  });
});

type Screen = Awaited<ReturnType<typeof open>>["screen"];

async function answerQuestions(screen: Screen) {
  await screen.getByRole("button", { name: "音を鳴らす" }).click();
  await screen.getByRole("button", { name: `${played}回` }).click();
  await expect.element(screen.getByText("音が聞こえています。")).toBeVisible();
  await screen.getByRole("radio", { name: "はい" }).click();
}

const save = (screen: Screen) =>
  screen.getByRole("button", { name: "確認の結果を保存する" }).click();

test("a suitable device is checked, saved and remembered", async () => {
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(),
      "PUT exam/application/1/device-check/{device}/": () => ({ passed: true }),
    },
  });
  await expect.element(screen.getByText("時計は合っています。")).toBeVisible();
  await expect.element(screen.getByText("答えをこの端末に保存できます。")).toBeVisible();
  await answerQuestions(screen);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await save(screen);
  await expect.element(screen.getByText("この端末で受けられます", { exact: true })).toBeVisible();
  expect(changes()).toEqual([
    {
      call: saveCall(),
      body: {
        browser: expect.stringMatching(/^Chrome \d+$/),
        clock_offset_ms: expect.any(Number),
        browser_fits: true,
        storage_kept: true,
        round_trip_ms: expect.any(Number),
        sound: true,
        quiet_place: true,
      },
    },
  ]);
});

test("without answers nothing is saved, and the missing ones are shown", async () => {
  const { screen, changes } = await open(PATH, { answers: { [SHEET]: ready, [PROBE]: probe() } });
  await expect.element(screen.getByText("時計は合っています。")).toBeVisible();
  await save(screen);
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/場所の質問に答えて/);
  expect(changes()).toEqual([]);
});

test("a wrong clock and missing sound are reported with their remedies", async () => {
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(3 * 3_600_000),
      "PUT exam/application/1/device-check/{device}/": () => ({ passed: true }),
    },
  });
  await expect.element(screen.getByText("この端末の時計は、3時間遅れています。")).toBeVisible();
  await screen.getByRole("button", { name: "音を鳴らす" }).click();
  await screen.getByRole("button", { name: "聞こえない" }).click();
  await expect.element(screen.getByText(/音量を上げ、消音をやめ/)).toBeVisible();
  await screen.getByRole("radio", { name: "いいえ" }).click();
  await expect.element(screen.getByText(/このままでも受けられます。試験の日までに/)).toBeVisible();
  await save(screen);
  await expect.element(screen.getByText("この端末で受けられます", { exact: true })).toBeVisible();
  expect(changes().at(-1)?.body).toMatchObject({ sound: false, quiet_place: false });
});

test("a browser without the database of the answers is reported to the server and does not pass", async () => {
  vi.spyOn(IDBFactory.prototype, "open").mockImplementation(() => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(),
      "PUT exam/application/1/device-check/{device}/": () => ({ passed: false }),
    },
  });
  await expect.element(screen.getByText("このブラウザには答えを保存できません。")).toBeVisible();
  await screen.getByRole("radio", { name: "はい" }).click();
  await save(screen);
  await expect.element(screen.getByText("この端末では、まだ受けられません")).toBeVisible();
  expect(changes().at(-1)?.body).toMatchObject({ browser_fits: true, storage_kept: false });
});

test("a browser without a needed feature is reported to the server and does not pass", async () => {
  vi.stubGlobal("structuredClone", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(),
      "PUT exam/application/1/device-check/{device}/": () => ({ passed: false }),
    },
  });
  await expect.element(screen.getByText(/では受けられません。$/)).toBeVisible();
  await screen.getByRole("radio", { name: "はい" }).click();
  await save(screen);
  await expect.element(screen.getByText("この端末では、まだ受けられません")).toBeVisible();
  expect(changes().at(-1)?.body).toMatchObject({ browser_fits: false, storage_kept: true });
});

test("a learner who is deaf passes, with or without the sound test", async () => {
  const { screen, changes } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(),
      "PUT exam/application/1/device-check/{device}/": () => ({ passed: true }),
    },
  });
  await expect.element(screen.getByText("時計は合っています。")).toBeVisible();
  await screen.getByRole("radio", { name: "はい" }).click();
  await save(screen);
  await expect.element(screen.getByText("この端末で受けられます", { exact: true })).toBeVisible();
  await screen.getByRole("button", { name: "音を鳴らす" }).click();
  await screen.getByRole("button", { name: "聞こえない" }).click();
  await expect.element(screen.getByText(/この模試は、このまま受けられます。/)).toBeVisible();
  await save(screen);
  await expect.poll(() => changes().length).toBe(2);
  for (const { body } of changes()) expect(body).toMatchObject({ sound: false });
});

test("without a connection the check shows a message and can be repeated", async () => {
  let down = true;
  const { screen } = await open(PATH, {
    answers: { [SHEET]: ready, [PROBE]: () => (down ? offline() : probe()()) },
  });
  await expect.element(screen.getByText("確かめられませんでした")).toBeVisible();
  down = false;
  await screen.getByRole("button", { name: "もう一度確かめる" }).click();
  await expect.element(screen.getByText("時計は合っています。")).toBeVisible();
});

test("a result that can't be saved shows a message and is saved at the next press", async () => {
  let down = true;
  const { screen } = await open(PATH, {
    answers: {
      [SHEET]: ready,
      [PROBE]: probe(),
      "PUT exam/application/1/device-check/{device}/": () =>
        down ? problem(502, "UPSTREAM_UNAVAILABLE") : { passed: true },
    },
  });
  await expect.element(screen.getByText("時計は合っています。")).toBeVisible();
  await answerQuestions(screen);
  await save(screen);
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/保存できませんでした/);
  down = false;
  await save(screen);
  await expect.element(screen.getByText("この端末で受けられます", { exact: true })).toBeVisible();
});

test("a checked device is remembered and can be checked again", async () => {
  const checked = { device_id: deviceId(), checked_at: inDays(-1), passed: true };
  const { screen } = await open(PATH, {
    answers: {
      [SHEET]: () => ({ ...ready(), stage: "exam", device_checks: [checked] }),
      [PROBE]: probe(),
    },
  });
  await expect.element(screen.getByText("この端末は確認済みです")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "確認の結果を保存する" })).toBeVisible();
});

test("before the schools are chosen the address redirects to them", async () => {
  const { address } = await open(PATH, {
    answers: { [SHEET]: () => sheetOf({ stage: "desired_schools", basic_info: basicInfo }) },
  });
  await expect.poll(address).toBe("/mypage/mockexam/1/schoolinfo");
});
