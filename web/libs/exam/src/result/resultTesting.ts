import type { ExamResult, FinalPaperResult, Judgement, SittingRecord, Standing } from "../api";
import { open } from "../examTesting";

export const PATH = "/mypage/mockexam/1/result";
export const RESULT = "GET exam/application/1/result/";
export const SCHOOLS = "GET exam/school/";

export function standingOf(given: Partial<Standing> = {}): Standing {
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

export function judgementOf(given: Partial<Judgement> = {}): Judgement {
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

export function resultOf(given: Partial<ExamResult> = {}): ExamResult {
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
export const openResult = (result: ExamResult) =>
  open(PATH, {
    answers: {
      [RESULT]: () => result,
      [SCHOOLS]: () => ({ count: 0, next: null, previous: null, results: [] }),
    },
  });

export const paperResult: FinalPaperResult = {
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
        takes_picture: false,
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
        takes_picture: false,
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
