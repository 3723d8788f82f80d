import { alertStore } from "@konomana/ui-base";
import { type Answers, itemOf, problem } from "@konomana/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Certificate, CertificateProgress, CheckedCertificate } from "./certificateCalls";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open } from "../testing/learner";

const ID = "3f0c1d52-9a7e-4b31-8e44-0c6a2f9d7b15";
const ADDRESS = `https://www.konomana.jp/certificate/${ID}`;
const COURSE = "lms/course/101/certificate/";

const progress: CertificateProgress = {
  lesson_count: 3,
  missing_lesson_count: 0,
  question_count: 10,
  right_count: 7,
  needed_right_count: 7,
  is_earned: true,
};
const issued: Certificate = {
  id: ID,
  course_name: "中1英語 be動詞",
  learner_name: "井上 拓海",
  issued_at: "2026-11-20T09:00:00Z",
  is_name_shown: false,
  check_url: ADDRESS,
};

/** Opens the owned course whose certificate is in this state. */
const openCourse = (
  state: { progress: CertificateProgress; certificate: Certificate | null },
  answers: Answers = {},
) =>
  open("/mypage/learnning/1", {
    answers: {
      "GET lms/inventory/1/": () => itemOf(),
      [`GET ${COURSE}`]: () => state,
      ...answers,
    },
  });

const panel = page.getByRole("region", { name: "修了証" });

describe("an owned course shows", () => {
  test("which lessons and right answers are missing", async () => {
    const { screen } = await openCourse({
      progress: { ...progress, missing_lesson_count: 2, right_count: 5, is_earned: false },
      certificate: null,
    });
    await expect.element(panel.getByText("あと2レッスンです（全3レッスン）")).toBeVisible();
    await expect
      .element(panel.getByText("あと2問の正解が必要です（全10問のうち5問に正解しています）"))
      .toBeVisible();
    await expect.element(panel.getByRole("button")).not.toBeInTheDocument();
    expect(await pageFaults(screen.container)).toEqual([]);
  });

  test("that a course without questions needs only its lessons", async () => {
    const unasked = { question_count: 0, right_count: 0, needed_right_count: 0 };
    await openCourse({
      progress: { ...progress, ...unasked, missing_lesson_count: 1, is_earned: false },
      certificate: null,
    });
    await expect
      .element(panel.getByText("すべてのレッスンを学ぶと、修了証を受け取れます。"))
      .toBeVisible();
    await expect.element(panel.getByText("確認問題")).not.toBeInTheDocument();
  });

  test("the reason with a retry if the state can't be loaded, beside the lessons", async () => {
    await open("/mypage/learnning/1", {
      answers: {
        "GET lms/inventory/1/": () => itemOf(),
        [`GET ${COURSE}`]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
      },
    });
    await expect.element(panel.getByText(/ただいまつながりにくくなっています/)).toBeVisible();
    await expect.element(panel.getByRole("button", { name: /もう一度/ })).toBeVisible();
    await expect.element(page.getByRole("checkbox").first()).toBeVisible();
  });
});

describe("an earned certificate", () => {
  test("is taken with the keyboard, and its PDF and its address appear", async () => {
    const { screen, calls } = await openCourse(
      { progress, certificate: null },
      { [`POST ${COURSE}`]: () => issued },
    );
    const take = panel.getByRole("button", { name: "修了証を受け取る" });
    await expect.element(take).toBeVisible();
    (take.element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(panel.getByText("2026年11月20日(金)に発行した修了証です。")).toBeVisible();
    expect(calls.filter((call) => call.startsWith("POST"))).toEqual([`POST ${COURSE}`]);
    await expect.element(panel.getByText(ADDRESS)).toBeVisible();
    await expect
      .element(panel.getByRole("link", { name: "確認ページを開く" }))
      .toHaveAttribute("href", `/certificate/${ID}`);
    await expect
      .element(panel.getByRole("button", { name: "修了証のPDFを保存する" }))
      .toBeVisible();
    expect(await pageFaults(screen.container)).toEqual([]);
  });

  test("that the server refuses shows the reason, and what is missing", async () => {
    let reads = 0;
    await openCourse(
      { progress, certificate: null },
      {
        [`POST ${COURSE}`]: () => problem(409, "CERTIFICATE_NOT_EARNED"),
        [`GET ${COURSE}`]: () => {
          reads += 1;
          return { progress, certificate: null };
        },
      },
    );
    await panel.getByRole("button", { name: "修了証を受け取る" }).click();
    await expect
      .element(panel.getByRole("alert"))
      .toHaveTextContent(
        "修了証を受け取れませんでした修了証を受け取るには、まだ足りないものがあります。",
      );
    await expect.poll(() => reads).toBe(2);
  });
});

describe("an issued certificate", () => {
  test("is saved as a PDF", async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
    onTestFinished(() => saved.mockRestore());
    await openCourse(
      { progress, certificate: issued },
      {
        "GET lms/certificate/{id}/pdf/": () =>
          new Response("%PDF-", { headers: { "content-type": "application/pdf" } }),
      },
    );
    await panel.getByRole("button", { name: "修了証のPDFを保存する" }).click();
    await expect.poll(() => saved.mock.calls.length).toBe(1);
    expect(saved.mock.contexts[0]).toMatchObject({ download: `certificate-${ID}.pdf` });
  });

  test("has an address to copy", async () => {
    const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    onTestFinished(() => copied.mockRestore());
    await openCourse({ progress, certificate: issued });
    await panel.getByRole("button", { name: "アドレスをコピー" }).click();
    await expect.element(panel.getByText("コピーしました")).toBeVisible();
    expect(copied).toHaveBeenCalledWith(ADDRESS);
  });

  test("shows the name to others only after the learner chose it, and not after hiding it", async () => {
    const sent: unknown[] = [];
    await openCourse(
      { progress, certificate: issued },
      {
        "PUT lms/certificate/{id}/visibility/": ({ body }) => {
          sent.push(body);
          return { ...issued, ...body };
        },
      },
    );
    const box = panel.getByRole("checkbox", { name: "確認ページに名前を表示する" });
    await expect.element(box).not.toBeChecked();
    await expect.element(panel.getByText(/名前は見えません/)).toBeVisible();
    (box.element() as HTMLElement).focus();
    await userEvent.keyboard(" ");
    await expect.element(box).toBeChecked();
    await expect.element(panel.getByText(/「井上 拓海」という名前も見えます/)).toBeVisible();
    await box.click();
    await expect.element(box).not.toBeChecked();
    await expect.poll(() => sent).toEqual([{ is_name_shown: true }, { is_name_shown: false }]);
  });

  test("goes back to the old choice if the server refuses the new one", async () => {
    await openCourse(
      { progress, certificate: issued },
      {
        "PUT lms/certificate/{id}/visibility/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
      },
    );
    const box = panel.getByRole("checkbox", { name: "確認ページに名前を表示する" });
    await box.click();
    await expect
      .poll(() => alertStore.get().message)
      .toMatch(/^名前の表示を変えられませんでした。ただいまつながりにくくなっています。/);
    await expect.element(box).not.toBeChecked();
  });
});

const checked: CheckedCertificate = {
  course_name: "中1英語 be動詞",
  issued_at: "2026-11-20T09:00:00Z",
  learner_name: null,
};

/** Opens a page of the public check as a visitor. */
const openCheck = (path: string, answers: Answers = {}) => open(path, { answers, user: null });

describe("the public check", () => {
  test("says that a certificate is valid, without the name that is hidden", async () => {
    const { screen } = await openCheck(`/certificate/${ID}`, {
      "GET lms/certificate/{id}/": () => checked,
    });
    await expect.element(screen.getByText("この修了証は有効です")).toBeVisible();
    for (const fact of ["中1英語 be動詞", "2026年11月20日(金)", ID])
      await expect.element(screen.getByText(fact, { exact: true })).toBeVisible();
    await expect.element(screen.getByText("本人の希望により、表示していません")).toBeVisible();
    expect(await pageFaults(screen.container)).toEqual([]);
  });

  test("shows the name while the learner shows it", async () => {
    const { screen } = await openCheck(`/certificate/${ID}`, {
      "GET lms/certificate/{id}/": () => ({ ...checked, learner_name: "井上 拓海" }),
    });
    await expect.element(screen.getByText("井上 拓海", { exact: true })).toBeVisible();
  });

  test.each([
    ["an unknown number", ID, 1],
    ["what is no number", "abc", 0],
  ])("says that there is no certificate for %s", async (_, id, asked) => {
    const { screen, calls } = await openCheck(`/certificate/${id}`);
    await expect
      .element(screen.getByRole("main").getByRole("alert"))
      .toHaveTextContent(
        "この番号の修了証は見つかりません番号がちがうか、持ち主が退会して、なくなっています。修了証の番号をもう一度ご確認ください。",
      );
    expect(calls.filter((call) => call.startsWith("GET lms/certificate/"))).toHaveLength(asked);
    expect(await pageFaults(screen.container)).toEqual([]);
  });

  test("says why it can't check now, with a retry", async () => {
    let isUp = false;
    const { screen } = await openCheck(`/certificate/${ID}`, {
      "GET lms/certificate/{id}/": () => (isUp ? checked : problem(502, "UPSTREAM_UNAVAILABLE")),
    });
    await expect.element(screen.getByText(/ただいまつながりにくくなっています/)).toBeVisible();
    isUp = true;
    await screen.getByRole("button", { name: /もう一度/ }).click();
    await expect.element(screen.getByText("この修了証は有効です")).toBeVisible();
  });

  test("opens for a number that is typed by hand, and says what a number looks like", async () => {
    const { screen } = await openCheck("/certificate", {
      "GET lms/certificate/{id}/": () => checked,
    });
    const field = screen.getByRole("textbox", { name: "証明書番号" });
    await field.fill("1234");
    await userEvent.keyboard("{Enter}");
    await expect.element(field).toHaveAccessibleDescription(/32文字です。もう一度ご確認ください。/);
    await expect.element(field).toHaveFocus();
    expect(await pageFaults(screen.container)).toEqual([]);

    await field.fill(ID.toUpperCase().replaceAll("-", " "));
    await screen.getByRole("button", { name: "確かめる" }).click();
    await expect.element(screen.getByText("この修了証は有効です")).toBeVisible();
    await expect.element(screen.getByLabelText("address")).toHaveTextContent(`/certificate/${ID}`);
  });
});
