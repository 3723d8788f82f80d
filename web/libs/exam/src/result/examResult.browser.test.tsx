import { problem } from "@konomana/testing";
import { expect, test, vi } from "vitest";
import type { ExamResult } from "../api";
import { faultsOnAPhone, offline, open, schoolOf } from "../examTesting";
import {
  judgementOf,
  openResult,
  PATH,
  RESULT,
  resultOf,
  SCHOOLS,
  standingOf,
} from "./resultTesting";

const JUDGEMENT = "GET exam/application/1/judgement/";

test("a final result shows the total, each subject and the gap to the next grade", async () => {
  const { screen } = await openResult(resultOf());
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("コノ模試 第1回の結果");
  await expect.element(screen.getByText("確定", { exact: true })).toBeVisible();
  const total = screen.getByRole("region", { name: "2教科の合計" });
  await expect.element(total.getByText("153 / 200点")).toBeVisible();
  await expect.element(total.getByText("12位 / 60人")).toBeVisible();
  const schools = screen.getByRole("region", { name: "志望校の合格判定" });
  await expect.element(schools.getByText("C判定・合格可能性52%")).toBeVisible();
  await expect.element(schools.getByText(/^B判定まで、あと9点/)).toBeVisible();
  await expect
    .element(schools.getByText("とれていればとどいた問題：数学 問3（5点）"))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "数学の答えと解説を見る" }))
    .toHaveAttribute("href", `${PATH}/12`);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the result shows what was recorded, and that nothing is decided by it", async () => {
  const { screen } = await openResult(resultOf());
  const panel = screen.getByRole("region", { name: "受験中の記録" });
  await expect
    .element(panel.getByText(/^この記録だけで何かを決めることはありません。/))
    .toBeVisible();
  await expect.element(panel.getByText(/カメラとマイクは使っていません。/)).toBeVisible();
  await panel.getByText("英語の記録を見る").click();
  await expect.element(panel.getByText("画面から離れた時間：1分15秒")).toBeVisible();
  const devices = panel.getByRole("list", { name: "英語で使った端末" }).getByRole("listitem");
  await expect.element(devices.nth(1)).toHaveTextContent("10:20:00から端末2");
  await expect.element(devices.nth(2)).toHaveTextContent("10:30:00から端末1");
  const table = panel.getByRole("table", { name: "問題ごとの記録（英語）" });
  await expect.element(table.getByRole("row", { name: "1 10:05:09 3分10秒" })).toBeVisible();
  await expect.element(table.getByRole("row", { name: "2 — —" })).toBeVisible();
  await panel.getByText("数学の記録を見る").click();
  await expect.element(panel.getByText("使った端末：1台（引きつぎはありません）")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the distribution marks the learner's place and leaves out empty ranges at both ends", async () => {
  const { screen } = await openResult(resultOf({ papers: [] }));
  await screen.getByText("合計点の分布を見る").click();
  const table = screen.getByRole("figure", { name: /^合計点の分布/ }).getByRole("table");
  await expect.element(table.getByRole("row", { name: /^50〜69点 48人/ })).toBeVisible();
  await expect.element(table.getByRole("row", { name: /^0〜49点/ })).not.toBeInTheDocument();
});

test("a provisional result is labelled and shows neither answers nor questions", async () => {
  const { screen } = await openResult(resultOf({ is_final: false }));
  await expect.element(screen.getByText("暫定", { exact: true })).toBeVisible();
  await expect.element(screen.getByText("この結果は暫定です")).toBeVisible();
  await expect.element(screen.getByText(/^B判定まで、あと9点/)).toBeVisible();
  await expect.element(screen.getByText(/とれていればとどいた問題/)).not.toBeInTheDocument();
  await expect
    .element(screen.getByRole("link", { name: /答えと解説を見る/ }))
    .not.toBeInTheDocument();
});

test("figures of few candidates are marked as a reference only", async () => {
  const total = standingOf({ is_reference: true, deviation_score: null });
  const { screen } = await openResult(resultOf({ total }));
  await expect.element(screen.getByText(/参考値です。$/)).toBeVisible();
  const region = screen.getByRole("region", { name: "2教科の合計" });
  await expect.element(region.getByText("—")).toBeVisible();
});

test("without one of the papers there is no total and no judgement", async () => {
  const [english, mathematics] = resultOf().papers as [
    ExamResult["papers"][number],
    ExamResult["papers"][number],
  ];
  const result = resultOf({
    is_final: false,
    papers: [english, { ...mathematics, state: "absent", standing: null, record: null }],
    total: null,
    judgements: [judgementOf({ grade: null, probability: null, next: null })],
  });
  const { screen } = await openResult(result);
  await expect.element(screen.getByText(/^すべての教科の採点が終わると/)).toBeVisible();
  await expect.element(screen.getByText("まだ提出していません")).toBeVisible();
  await expect.element(screen.getByText("判定不可")).toBeVisible();
  await expect.element(screen.getByText(/^すべての教科を受けて/)).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("after the end a missing paper is shown as not taken", async () => {
  const papers = resultOf().papers.map((paper, index) =>
    index === 1 ? { ...paper, state: "absent" as const, standing: null, record: null } : paper,
  );
  const { screen } = await openResult(resultOf({ papers, total: null }));
  await expect.element(screen.getByText(/^受けていない教科があるため/)).toBeVisible();
  await expect.element(screen.getByText("受けていません", { exact: true })).toBeVisible();
  await expect.element(screen.getByText("まだ提出していません")).not.toBeInTheDocument();
});

test("a result is polled while a paper is marked", async () => {
  let asked = 0;
  const { screen } = await open(PATH, {
    answers: {
      [RESULT]: () => {
        asked += 1;
        const state = asked === 1 ? ("marking" as const) : ("marked" as const);
        const papers = resultOf().papers.map((paper) =>
          state === "marking" ? { ...paper, state, standing: null } : paper,
        );
        return resultOf({ papers, ...(state === "marking" && { total: null }) });
      },
      [SCHOOLS]: () => ({ count: 0, next: null, previous: null, results: [] }),
    },
  });
  await expect.element(screen.getByText("採点しています。1分ほどで出ます").first()).toBeVisible();
  await expect.element(screen.getByText("153 / 200点"), { timeout: 10_000 }).toBeVisible();
});

test("the best grade and an unreachable grade are labelled", async () => {
  const judgements = [
    judgementOf({ grade: "A", probability: 85, next: null }),
    judgementOf({
      desired_rank: 2,
      department: { id: 71, name: "理数科" },
      grade: "E",
      probability: 10,
      next: null,
    }),
  ];
  const { screen } = await openResult(resultOf({ judgements }));
  await expect.element(screen.getByText(/^いちばんよい判定です。/)).toBeVisible();
  await expect.element(screen.getByText(/次の判定にとどきません。$/)).toBeVisible();
});

test("any school in the search is judged, each department separately", async () => {
  const { screen, calls } = await open(PATH, {
    answers: {
      [RESULT]: () => resultOf({ judgements: [] }),
      [SCHOOLS]: () => ({ count: 1, next: null, previous: null, results: [schoolOf(9)] }),
      [JUDGEMENT]: ({ search }) => {
        const department = Number(new URLSearchParams(search).get("department_id"));
        return judgementOf({
          desired_rank: null,
          school: { id: 9, name: "第9高校" },
          department: { id: department, name: department === 90 ? "普通科" : "理数科" },
          grade: department === 90 ? "B" : "D",
          probability: department === 90 ? 66 : 31,
        });
      },
    },
  });
  await screen.getByRole("button", { name: "第9高校を選ぶ" }).click();
  await expect.element(screen.getByText("B判定・合格可能性66%")).toBeVisible();
  await expect.element(screen.getByText("D判定・合格可能性31%")).toBeVisible();
  expect(calls.filter(({ call }) => call.startsWith(JUDGEMENT)).map(({ call }) => call)).toEqual([
    `${JUDGEMENT}?school_id=9&department_id=90`,
    `${JUDGEMENT}?school_id=9&department_id=91`,
  ]);
  await screen.getByRole("button", { name: "ほかの学校をさがす" }).click();
  await expect.element(screen.getByRole("button", { name: "第9高校を選ぶ" })).toBeVisible();
});

test("before anything is handed in, the result shows what to do", async () => {
  const { screen } = await open(PATH, {
    answers: { [RESULT]: () => problem(409, "NOTHING_HANDED_IN") },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("まだ見られません");
  await expect.element(screen.getByText(/^まだ提出した教科がありません。/)).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "もう一度試す" }))
    .not.toBeInTheDocument();
  await expect
    .element(screen.getByRole("link", { name: /模試のページにもどる/ }))
    .toHaveAttribute("href", "/mypage/mockexam/1");
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a paper whose written answers are being marked shows its other points", async () => {
  const papers = resultOf().papers.map((paper) => ({
    ...paper,
    state: "marking" as const,
    standing: null,
    written_in_marking: { open_answers: 1, points: 62, full_points: 94 },
  }));
  const { screen, calls } = await openResult(resultOf({ is_final: false, papers, total: null }));
  await expect
    .element(screen.getByText(/^採点中です。記述1問は、.*62 \/ 94点です$/).first())
    .toBeVisible();
  await expect.element(screen.getByText(/記述問題の採点がすべて終わると/)).toBeVisible();
  expect(calls.filter(({ call }) => call.includes("/result/"))).toHaveLength(1);
});

test("the result is saved as a PDF for the school, or a failure shows the reason", async () => {
  let isCut = true;
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:result";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { screen } = await open(PATH, {
    answers: {
      [RESULT]: () => resultOf(),
      "GET exam/application/1/result/pdf/": () =>
        isCut
          ? offline()
          : new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } }),
    },
  });
  const save = screen.getByRole("button", { name: "PDFを保存する" });
  await save.click();
  await expect.element(screen.getByText("PDFを保存できませんでした")).toBeVisible();
  isCut = false;
  await save.click();
  await expect.poll(() => click.mock.calls.length).toBe(1);
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe("mock-exam-1.pdf");
  expect(await files[0]?.text()).toBe("%PDF-1.7");
});
