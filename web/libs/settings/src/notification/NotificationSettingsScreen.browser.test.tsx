import type { Notifications } from "../api";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { User } from "@konomana/session";
import { type Answers, done, json, learner, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { openFor } from "../settingsTesting";
import { NotificationSettingsScreen } from "./NotificationSettingsScreen";

const FIND = "GET desk/notification/setting/";
const SAVE = "PUT desk/notification/setting/";
const STORE = "POST desk/notification/device/";

const settingsOf = (own: Partial<Notifications> = {}): Notifications => ({
  mail_off: [],
  push_off: [],
  quiet_hours: null,
  is_quiet_by_age: true,
  adult_on: null,
  mail_bounced_at: null,
  push_key: null,
  push_devices: [],
  ...own,
});

function open(own: Partial<Notifications> = {}, answers: Answers = {}) {
  const all = { [FIND]: () => json(settingsOf(own)), [SAVE]: () => done(), ...answers };
  return openFor(learner, NotificationSettingsScreen, all, "/mypage/settings/notification");
}

const saved = (calls: { call: string; body: unknown }[]) =>
  calls.filter(({ call }) => call === SAVE).map(({ body }) => body);

test("guardians get the topic of the weekly report, and learners do not", async () => {
  const guardian: User = { ...learner, scope: ["guardian"] };
  const answers = { [FIND]: () => json(settingsOf()), [SAVE]: () => done() };
  const { screen, calls } = await openFor(guardian, NotificationSettingsScreen, answers);
  const name = "週間レポートをメールで受け取る";
  await screen.getByRole("checkbox", { name }).click();
  await expect
    .poll(() => saved(calls))
    .toEqual([
      {
        topics: ["answer", "interview", "event", "exam_result", "weekly_report", "notice"],
        mail_off: ["weekly_report"],
        push_off: [],
        quiet_hours: null,
      },
    ]);
  await screen.unmount();
  const learners = await open();
  await expect.element(learners.screen.getByText("先生の回答")).toBeVisible();
  expect(learners.screen.getByRole("checkbox", { name }).query()).toBeNull();
});

test("everybody can switch on the mails about new notices", async () => {
  const { screen, calls } = await open({ mail_off: ["notice"], push_key: "BKey" });
  const mail = screen.getByRole("checkbox", { name: "新しいお知らせをメールで受け取る" });
  await expect.element(mail).not.toBeChecked();
  await expect
    .element(screen.getByRole("checkbox", { name: "新しいお知らせを通知で受け取る" }))
    .toBeChecked();
  await mail.click();
  await expect.poll(() => saved(calls)).toMatchObject([{ mail_off: [], push_off: [] }]);
});

test("a topic is switched off and on with the keyboard, and saved at once", async () => {
  const { screen, calls, blue } = await open({ mail_off: ["exam_result"] });
  const event = screen.getByRole("checkbox", { name: "イベントをメールで受け取る" });
  await expect.element(event).toBeChecked();
  await expect
    .element(screen.getByRole("checkbox", { name: "模試の成績をメールで受け取る" }))
    .not.toBeChecked();
  event.element().focus();
  await userEvent.keyboard(" ");
  await expect.element(event).not.toBeChecked();
  await expect.poll(blue).toBe("保存しました。");
  await userEvent.keyboard(" ");
  await expect.element(event).toBeChecked();
  await expect
    .poll(() => saved(calls))
    .toMatchObject([
      { mail_off: ["exam_result", "event"], push_off: [], quiet_hours: null },
      { mail_off: ["exam_result"], push_off: [], quiet_hours: null },
    ]);
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("a failed change does not undo a later one", async () => {
  const first = Promise.withResolvers<ReturnType<typeof problem>>();
  let saves = 0;
  const { screen, calls } = await open(
    {},
    {
      [SAVE]: () => ((saves += 1) === 1 ? first.promise : done()),
    },
  );
  const event = screen.getByRole("checkbox", { name: "イベントをメールで受け取る" });
  const answer = screen.getByRole("checkbox", { name: "先生の回答をメールで受け取る" });
  await event.click();
  await answer.click();
  first.resolve(problem(502, "UPSTREAM_UNAVAILABLE"));
  await expect
    .poll(() => saved(calls))
    .toMatchObject([{ mail_off: ["event"] }, { mail_off: ["event", "answer"] }]);
  await expect.element(event).not.toBeChecked();
  await expect.element(answer).not.toBeChecked();
});

test("quiet hours begin at 21, and their end stays within 12 hours", async () => {
  const { screen, calls } = await open();
  await screen.getByRole("checkbox", { name: "決まった時間は受け取らない" }).click();
  await expect.element(screen.getByLabelText("終わり")).toHaveValue("7");
  await screen.getByLabelText("始まり").selectOptions("18");
  await expect.element(screen.getByLabelText("終わり")).toHaveValue("6");
  await screen.getByRole("checkbox", { name: "決まった時間は受け取らない" }).click();
  await expect
    .poll(() => saved(calls))
    .toMatchObject([
      { quiet_hours: { from: 21, until: 7 } },
      { quiet_hours: { from: 18, until: 6 } },
      { quiet_hours: null },
    ]);
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("a minor sees the quiet hours of the age until they are changed, on a narrow screen too", async () => {
  await page.viewport(360, 640);
  const night = { from: 21, until: 7 };
  const { screen, calls } = await open({ quiet_hours: night, adult_on: "2029-04-02" });
  const note = screen.getByText(
    /18歳未満の方は、ご自分で変えるまで、21時から7時までは受け取りません/,
  );
  await expect.element(note).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("checkbox", { name: "イベントをメールで受け取る" }).click();
  await expect.poll(() => saved(calls)).toMatchObject([{ quiet_hours: night }]);
  await expect.element(note).toBeVisible();
  await screen.getByLabelText("始まり").selectOptions("22");
  await expect.element(note).not.toBeInTheDocument();
});

test("an adult is not told about the quiet hours of minors", async () => {
  const { screen } = await open({ is_quiet_by_age: false, quiet_hours: { from: 21, until: 7 } });
  await expect.element(screen.getByLabelText("終わり")).toHaveValue("7");
  expect(screen.getByText(/18歳未満/).elements()).toEqual([]);
});

test("after a failure the screen shows the reason and the stored settings", async () => {
  const { screen } = await open({}, { [SAVE]: () => problem(502, "UPSTREAM_UNAVAILABLE") });
  const answer = screen.getByRole("checkbox", { name: "先生の回答をメールで受け取る" });
  await answer.click();
  await expect.element(screen.getByText("保存できませんでした")).toBeVisible();
  await expect.element(answer).toBeChecked();
});

test("a refused address is shown to its owner", async () => {
  const { screen } = await open({ mail_bounced_at: "2026-11-20T15:30:00Z" });
  await expect.element(screen.getByText("メールが届いていません")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "メールアドレス" }))
    .toHaveAttribute("href", "/mypage/settings/email");
});

const phone: Notifications["push_devices"][number] = {
  id: "d1",
  device: "Android の Chrome",
  created_at: "2026-11-01T00:00:00Z",
  sent_at: null,
  ended_at: null,
};

/** A browser with this permission and subscription. */
function stubPush(permission: NotificationPermission, subscribed: boolean) {
  const subscription = {
    toJSON: () => ({ endpoint: "https://push.example.com/x", keys: { p256dh: "BA", auth: "AA" } }),
    unsubscribe: vi.fn<() => Promise<boolean>>().mockResolvedValue(true),
  };
  const pushManager = {
    subscribe: vi.fn<(options: object) => Promise<object>>().mockResolvedValue(subscription),
    getSubscription: async () => subscription,
  };
  const registration = { pushManager } as unknown as ServiceWorkerRegistration;
  vi.spyOn(Notification, "permission", "get").mockReturnValue(permission);
  const ask = vi.spyOn(Notification, "requestPermission").mockResolvedValue("granted");
  const { serviceWorker } = navigator;
  vi.spyOn(serviceWorker, "getRegistration").mockResolvedValue(
    subscribed ? registration : undefined,
  );
  vi.spyOn(serviceWorker, "register").mockResolvedValue(registration);
  vi.spyOn(serviceWorker, "ready", "get").mockResolvedValue(registration);
  onTestFinished(() => void vi.restoreAllMocks());
  return { ask, subscription, pushManager };
}

test("without a key of the server, notifications are not offered", async () => {
  const { screen } = await open();
  await expect.element(screen.getByText("先生の回答")).toBeVisible();
  expect(screen.getByText("端末の通知").elements()).toEqual([]);
  expect(screen.getByRole("checkbox", { name: /通知で受け取る$/ }).elements()).toEqual([]);
});

test("the permission is asked for by a press only, then this browser is stored", async () => {
  const { ask, pushManager } = stubPush("default", false);
  let devices: Notifications["push_devices"] = [];
  const { screen, calls } = await openFor(learner, NotificationSettingsScreen, {
    [FIND]: () => json(settingsOf({ push_key: "BKey", push_devices: devices })),
    [STORE]: () => {
      devices = [phone];
      return json({ id: "d1" });
    },
  });
  const button = screen.getByRole("button", { name: "この端末で通知を受け取る" });
  await expect.element(button).toBeVisible();
  expect(ask).not.toHaveBeenCalled();
  expect(await pageFaults(screen.container)).toEqual([]);
  await button.click();
  await expect.element(screen.getByText("この端末", { exact: true })).toBeVisible();
  expect(pushManager.subscribe.mock.calls).toEqual([
    [{ userVisibleOnly: true, applicationServerKey: "BKey" }],
  ]);
  expect(calls.find(({ call }) => call === STORE)?.body).toEqual({
    endpoint: "https://push.example.com/x",
    p256dh: "BA",
    auth: "AA",
  });
  await expect.element(button).not.toBeInTheDocument();
});

/** The id that this browser got when it was stored before. */
const storeId = (id: string) => localStorage.setItem("konomana.push-device", id);

test("a subscribed browser is stored again at each visit, and ends by a press", async () => {
  const { subscription } = stubPush("granted", true);
  storeId("d1");
  let devices = [phone];
  const { screen, calls } = await openFor(learner, NotificationSettingsScreen, {
    [FIND]: () => json(settingsOf({ push_key: "BKey", push_devices: devices })),
    [STORE]: () => json({ id: "d1" }),
    "DELETE desk/notification/device/{id}/": () => {
      devices = [];
      return done();
    },
  });
  await expect.element(screen.getByText("この端末", { exact: true })).toBeVisible();
  expect(calls.filter(({ call }) => call === STORE)).toHaveLength(1);
  await screen.getByRole("button", { name: "Android の Chromeの通知を止める" }).click();
  await expect
    .element(screen.getByRole("button", { name: "この端末で通知を受け取る" }))
    .toBeVisible();
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
  expect(localStorage.getItem("konomana.push-device")).toBeNull();
});

test("a browser that replaced its subscription is listed with its new id and can be ended", async () => {
  const { subscription } = stubPush("granted", true);
  storeId("d1");
  const renewed = { ...phone, id: "d2", device: "iPad の Safari" };
  let devices = [phone];
  const { screen, calls } = await openFor(learner, NotificationSettingsScreen, {
    [FIND]: () => json(settingsOf({ push_key: "BKey", push_devices: devices })),
    [STORE]: () => {
      devices = [phone, renewed];
      return json({ id: "d2" });
    },
    "DELETE desk/notification/device/{id}/": () => {
      devices = [phone];
      return done();
    },
  });
  await expect.element(screen.getByText("この端末", { exact: true })).toBeVisible();
  expect(localStorage.getItem("konomana.push-device")).toBe("d2");
  await screen.getByRole("button", { name: "iPad の Safariの通知を止める" }).click();
  await expect
    .element(screen.getByRole("button", { name: "この端末で通知を受け取る" }))
    .toBeVisible();
  expect(calls.map(({ call }) => call)).toContain("DELETE desk/notification/device/d2/");
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
});

test("a browser that another person had subscribed is stored by a press only", async () => {
  stubPush("granted", true);
  storeId("other");
  let devices = [phone];
  const { screen, calls } = await openFor(learner, NotificationSettingsScreen, {
    [FIND]: () => json(settingsOf({ push_key: "BKey", push_devices: devices })),
    [STORE]: () => {
      devices = [phone, { ...phone, id: "d2" }];
      return json({ id: "d2" });
    },
  });
  const button = screen.getByRole("button", { name: "この端末で通知を受け取る" });
  await expect.element(button).toBeVisible();
  expect(calls.filter(({ call }) => call === STORE)).toEqual([]);
  await button.click();
  await expect.element(screen.getByText("この端末", { exact: true })).toBeVisible();
  expect(localStorage.getItem("konomana.push-device")).toBe("d2");
});

test("a browser that is gone is shown to its owner, and a forbidden one is explained", async () => {
  stubPush("denied", false);
  const ended = { ...phone, ended_at: "2026-11-20T15:30:00Z" };
  const { screen } = await open({ push_key: "BKey", push_devices: [ended] });
  await expect.element(screen.getByText("届かなくなりました")).toBeVisible();
  await expect.element(screen.getByText(/通知が止められています/)).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});
