import { learner, problem } from "@konomana/testing";
import { expect, test, vi } from "vitest";
import type {
  ExamResult,
  FinalPaperResult,
  Judgement,
  QuestionResult,
  SittingRecord,
  Standing,
} from "../api";
import { faultsOnAPhone, offline, open, schoolOf } from "../examTesting";

const PATH = "/mypage/mockexam/1/result";
const RESULT = "GET exam/application/1/result/";
const PAPER = "GET exam/paper/12/result/";
const SCHOOLS = "GET exam/school/";
const JUDGEMENT = "GET exam/application/1/judgement/";

function standingOf(given: Partial<Standing> = {}): Standing {
  return {
    points: 72,
    full_points: 100,
    deviation_score: 58.25,
    rank: 12,
    candidate_count: 60,
    average: 55.5,
    is_reference: false,
    distribution: [
      { from: 0, to: 49, candidate_count: 0 },
      { from: 50, to: 69, candidate_count: 48 },
      { from: 70, to: 100, candidate_count: 12 },
    ],
    ...given,
  };
}

function judgementOf(given: Partial<Judgement> = {}): Judgement {
  return {
    desired_rank: 1,
    school: { id: 7, name: "第7高校" },
    department: { id: 70, name: "普通科" },
    border: 60,
    grade: "C",
    probability: 52,
    next: {
      grade: "B",
      missing_points: 9,
      deviation_score: 62,
      questions: [{ paper_id: 12, subject: "数学", number: 3, points: 5 }],
    },
    ...given,
  };
}

const record: SittingRecord = {
  started_at: "2026-11-21T01:00:00Z",
  handed_in_at: "2026-11-21T01:45:00Z",
  away_seconds: 75,
  devices: [
    { number: 1, since: "2026-11-21T01:00:00Z" },
    { number: 2, since: "2026-11-21T01:20:00Z" },
    { number: 1, since: "2026-11-21T01:30:00Z" },
  ],
  questions: [
    { number: 1, saved_at: "2026-11-21T01:05:09Z", seconds: 190 },
    { number: 2, saved_at: null, seconds: null },
  ],
};

function resultOf(given: Partial<ExamResult> = {}): ExamResult {
  return {
    exam_id: 1,
    exam_name: "コノ模試 第1回",
    is_final: true,
    ends_at: "2026-11-30T15:00:00Z",
    computed_at: "2026-12-01T00:00:00Z",
    papers: [
      {
        paper_id: 11,
        subject: "英語",
        full_points: 100,
        state: "marked",
        standing: standingOf(),
        record,
        written_in_marking: null,
      },
      {
        paper_id: 12,
        subject: "数学",
        full_points: 100,
        state: "marked",
        standing: standingOf({ points: 81 }),
        record: { ...record, devices: [], away_seconds: 0 },
        written_in_marking: null,
      },
    ],
    total: standingOf({ points: 153, full_points: 200 }),
    judgements: [judgementOf()],
    ...given,
  };
}

/** Opens the result of an exam, before a school is searched. */
const openResult = (result: ExamResult) =>
  open(PATH, {
    answers: {
      [RESULT]: () => result,
      [SCHOOLS]: () => ({ count: 0, next: null, previous: null, results: [] }),
    },
  });

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

const paperResult: FinalPaperResult = {
  exam_id: 1,
  paper_id: 12,
  subject: "数学",
  standing: standingOf({ points: 5, full_points: 10 }),
  questions: [
    {
      question: {
        id: 501,
        number: 1,
        kind: "single",
        prompt: "最も大きい数はどれですか。",
        figures: [],
        choices: [
          { id: 1, text: "-3" },
          { id: 2, text: "2" },
        ],
        points: 5,
        character_limit: null,
      },
      given: { choices: [2] },
      key: { choices: [2] },
      is_right: true,
      right_rate: 83.333,
      explanation: "数直線で右にあるほど大きい数です。",
      lesson: null,
      written_mark: null,
    },
    {
      question: {
        id: 502,
        number: 2,
        kind: "number",
        prompt: "2+3はいくつですか。",
        figures: [],
        choices: [],
        points: 5,
        character_limit: null,
      },
      given: null,
      key: { number: "5" },
      is_right: false,
      right_rate: 50,
      explanation: "2に3をたします。",
      lesson: {
        id: 103010102,
        name: "式の計算",
        course: { id: 103, name: "中3数学" },
        watch_again_at: 154,
        is_usable: true,
      },
      written_mark: null,
    },
  ],
};

const writtenResult: FinalPaperResult["questions"][number] = {
  question: {
    id: 503,
    number: 3,
    kind: "written",
    prompt: "亮太の気持ちを書きなさい。",
    figures: [],
    choices: [],
    points: 6,
    character_limit: 60,
  },
  given: { text: "真を責めずに\n任せたい。" },
  key: { text: "真を安心させて、部を任せたいという気持ち。" },
  is_right: false,
  right_rate: 12.5,
  explanation: "大会のことを思い出しましょう。",
  lesson: null,
  written_mark: { points: 4, comments: ["大会のことにもふれましょう。"] },
};

test("a written answer shows its points, the comment of the marker and the model answer", async () => {
  const result = { ...paperResult, questions: [...paperResult.questions, writtenResult] };
  const { screen } = await open(`${PATH}/12`, { answers: { [PAPER]: () => result } });
  await expect.element(screen.getByText("4点 / 6点")).toBeVisible();
  await expect.element(screen.getByText("満点だった人 12.5%")).toBeVisible();
  await expect.element(screen.getByText("大会のことにもふれましょう。")).toBeVisible();
  await expect.element(screen.getByText("模範解答")).toBeVisible();
  await expect
    .element(screen.getByText("真を安心させて、部を任せたいという気持ち。"))
    .toBeVisible();
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

test("a paper shows each question with its key, its explanation and its lesson", async () => {
  const { screen } = await open(`${PATH}/12`, { answers: { [PAPER]: () => paperResult } });
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("数学の結果");
  await expect
    .element(screen.getByRole("heading", { name: "まちがえた問題（1問）" }))
    .toBeVisible();
  await expect.element(screen.getByText("正答率 83.3%")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "問2（正答率50.0%）" }))
    .toHaveAttribute("href", `${PATH}/12#question-2`);
  await expect.element(screen.getByText("答えていません")).toBeVisible();
  await expect.element(screen.getByText("2に3をたします。")).toBeVisible();
  const lessons = screen.getByRole("link", { name: /^レッスンのこの場面を見る/ });
  expect(lessons.elements().map((link) => link.getAttribute("href"))).toEqual([
    "/lecture/103010102?at=154",
  ]);
  await expect
    .element(screen.getByRole("link", { name: "模試の復習" }))
    .toHaveAttribute("href", "/mypage/review");
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the questions of a running exam are not shown", async () => {
  const { screen } = await open(`${PATH}/12`, {
    answers: { [PAPER]: () => problem(409, "NOT_FINAL") },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("まだ見られません");
  await expect.element(screen.getByText(/^結果はまだ確定していません。/)).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
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

const CHILD = "018f0000-0000-7000-8000-000000000009";
const CHILD_PATH = `/mypage/child/${CHILD}/mockexam/1/result`;
const guardian = { ...learner, scope: ["guardian"] };

test("a guardian sees a child's result with the child's name, its PDF and other schools", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:result";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { screen, calls } = await open(CHILD_PATH, {
    user: guardian,
    answers: {
      [`GET exam/children/${CHILD}/result/1/`]: () => ({
        child_name: "木下 葵",
        result: resultOf(),
      }),
      [`GET exam/children/${CHILD}/result/1/pdf/`]: () =>
        new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } }),
      [SCHOOLS]: () => ({ count: 1, next: null, previous: null, results: [schoolOf(9)] }),
      [`GET exam/children/${CHILD}/result/1/judgement/`]: () =>
        judgementOf({ desired_rank: null, grade: "B", probability: 66 }),
    },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("木下 葵さんのコノ模試 第1回の結果");
  await expect.element(screen.getByText("C判定・合格可能性52%")).toBeVisible();
  await screen.getByRole("button", { name: "PDFを保存する" }).click();
  await expect.poll(() => files.length).toBe(1);
  expect(await files[0]?.text()).toBe("%PDF-1.7");
  vi.restoreAllMocks();
  await screen.getByRole("button", { name: "第9高校を選ぶ" }).click();
  await expect.element(screen.getByText("B判定・合格可能性66%").first()).toBeVisible();
  expect(calls.some(({ call }) => call.startsWith("GET exam/application/"))).toBe(false);
  await expect
    .element(screen.getByRole("link", { name: "数学の答えと解説を見る" }))
    .toHaveAttribute("href", `${CHILD_PATH}/12`);
  await expect
    .element(screen.getByRole("link", { name: /お子さまの学習にもどる/ }))
    .toHaveAttribute("href", `/mypage/child/${CHILD}`);
  const panel = screen.getByRole("region", { name: "受験中の記録" });
  await expect
    .element(panel.getByText(/見られるのは、ご本人と、つながっている保護者の方だけです。/))
    .toBeVisible();
  await panel.getByText("英語の記録を見る").click();
  await expect.element(panel.getByText("画面から離れた時間：1分15秒")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a guardian sees each question of a child and the course that teaches the missed ones", async () => {
  const [right, wrong] = paperResult.questions as [QuestionResult, QuestionResult];
  const lesson = wrong.lesson && { ...wrong.lesson, is_usable: false };
  const result = { ...paperResult, questions: [right, { ...wrong, lesson }] };
  const { screen } = await open(`${CHILD_PATH}/12`, {
    user: guardian,
    answers: {
      [`GET exam/children/${CHILD}/paper/12/result/`]: () => ({ child_name: "木下 葵", result }),
    },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("木下 葵さんの数学の結果");
  await expect
    .element(screen.getByRole("link", { name: "このレッスンのある講座を見る" }))
    .toHaveAttribute("href", "/course/103#lesson-103010102");
  await expect.element(screen.getByText("お子さまの答え").first()).toBeVisible();
  await expect.element(screen.getByText("あなたの答え")).not.toBeInTheDocument();
  await expect.element(screen.getByRole("link", { name: "模試の復習" })).not.toBeInTheDocument();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the result of an unlinked child is not found", async () => {
  const { screen } = await open(CHILD_PATH, {
    user: guardian,
    answers: { [`GET exam/children/${CHILD}/result/1/`]: () => problem(404, "NOT_FOUND") },
  });
  await expect.element(screen.getByText(/ページがみつかりません/)).toBeVisible();
});
