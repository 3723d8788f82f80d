/**
 * Test support for a sitting: a model server that stores a paper's answers by the rules of the API.
 */
import { json } from "@konomana/testing";
import type { ApiCall } from "@konomana/testing";
import type { Sheet } from "../api";
import type {
  ExamQuestion,
  SavedAnswer,
  SaveReply,
  SaveRequest,
  Sitting,
  Transcript,
} from "./protocol/sittingTypes";

const asked = { figures: [], choices: [], points: 5, character_limit: null, takes_picture: false };

export const questions: ExamQuestion[] = [
  {
    ...asked,
    id: 101,
    number: 1,
    kind: "single",
    prompt: "$x^2=9$ の解はどれですか。",
    choices: [
      { id: 1, text: "$x=3$ だけ" },
      { id: 2, text: "$x=\\pm 3$" },
      { id: 3, text: "解はない" },
    ],
  },
  {
    ...asked,
    id: 102,
    number: 2,
    kind: "multiple",
    prompt: "二次方程式をすべて選びなさい。",
    choices: [
      { id: 1, text: "ア" },
      { id: 2, text: "イ" },
    ],
  },
  {
    ...asked,
    id: 103,
    number: 3,
    kind: "number",
    prompt: "$2x=1$ を解きなさい。",
    figures: [{ url: "/favicon.svg", alt: "数直線" }],
  },
  { ...asked, id: 104, number: 4, kind: "text", prompt: "幕府の名前を書きなさい。" },
];

/** A written question, in no paper unless a test adds it. */
export const writtenQuestion: ExamQuestion = {
  ...asked,
  id: 105,
  number: 5,
  kind: "written",
  prompt: "亮太の気持ちを20字以内で書きなさい。",
  character_limit: 20,
  takes_picture: true,
};

/** Older pictures than these are deleted, except for the answer. */
const KEPT_PICTURES = 5;
const ID = "018f0000-0000-7000-8000-0000000000aa";

const refusal = (status: number, code: string, facts: object = {}) =>
  new Response(JSON.stringify({ status, code, trace_id: "t".repeat(32), ...facts }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });

/** The characters of a typed answer. */
const lengthOf = (answer: NonNullable<SavedAnswer["answer"]>) =>
  "text" in answer ? Array.from(answer.text).length : 0;

const noNetwork = () => Promise.reject(new TypeError("Failed to fetch"));

/** A paper of 50 minutes, its sitting, and faults of the network. */
export class ExamServer {
  /** How far the server's clock is ahead of the device's, in milliseconds. */
  ahead = 0;
  minutes = 50;
  questions = questions;
  startedAt: number | null = null;
  epoch = 1;
  /** The active device. */
  device: string | null = null;
  readonly answers = new Map<number, SavedAnswer>();
  awaySeconds = 0;
  /** Seconds by question. */
  readonly times = new Map<number, number>();
  transcript: Transcript | null = null;
  isCut = false;
  /** The status of every reply of a server that is closed or requires a login. */
  refuses: number | null = null;
  /** The fate of replies to saves. `lost`: the save is stored and its reply does not arrive. */
  replies: "arrive" | "lost" = "arrive";
  /** Delays saves until it resolves. */
  gate: Promise<void> | null = null;
  /** Replaces the usual reply to a save. */
  onSave: ((body: SaveRequest) => Response | null) | null = null;
  readonly saves: SaveRequest[] = [];
  /** Replaces the usual reply to a picture. */
  onPicture: (() => Promise<Response> | Response) | null = null;
  /** The stored pictures, by name. */
  readonly pictures = new Map<string, Blob>();

  get now(): number {
    return Date.now() + this.ahead;
  }

  get deadline(): number {
    return (this.startedAt ?? this.now) + this.minutes * 60_000;
  }

  get state(): Sitting["state"] {
    if (this.transcript !== null) return "sealed";
    return this.now < this.deadline ? "running" : "grace";
  }

  /** Answers an API call. `undefined` answers 404. */
  answer = (call: ApiCall): unknown => {
    if (this.isCut) return noNetwork();
    if (this.refuses !== null) return refusal(this.refuses, "UNKNOWN");
    const { method, path, query } = call;
    const body = call.body as SaveRequest;
    if (path === "exam/application/1/") return this.sheet;
    if (path === "exam/paper/11/sitting/") return this.#start(body.device_id);
    if (path === `exam/sitting/${ID}/` && method === "GET")
      return this.sitting(query.get("device_id"));
    if (path === `exam/sitting/${ID}/answers/`) return this.#save(body);
    if (path === `exam/sitting/${ID}/picture/105/`) return this.#putPicture(call.body as Blob);
    const picture = this.pictures.get(path.split("/")[4] ?? "");
    if (path.startsWith("exam/question/105/picture/") && picture)
      return new Response(picture, { headers: { "content-type": "image/jpeg" } });
    if (path === `exam/sitting/${ID}/take-over/`) return this.#takeOver(body.device_id);
    if (path === `exam/sitting/${ID}/hand-in/`) return this.#handIn(body.device_id);
    return undefined;
  };

  get sheet(): Sheet {
    const handedIn = this.transcript?.handed_in_at ?? null;
    const running = this.startedAt !== null && handedIn === null;
    const times = {
      application_opens_at: "2026-10-01T00:00:00Z",
      application_closes_at: "2026-11-20T15:00:00Z",
      starts_at: "2026-11-21T00:00:00Z",
      ends_at: "2026-11-30T15:00:00Z",
      results_at: "2026-12-01T03:00:00Z",
    };
    const papers = [
      { id: 11, subject: "数学", minutes: 50, question_count: this.questions.length, points: 20 },
      { id: 12, subject: "英語", minutes: 50, question_count: 15, points: 100 },
    ];
    return {
      exam: {
        id: 1,
        name: "コノ模試 第1回",
        school_year: "中3",
        subjects: ["数学", "英語"],
        ...times,
        product_id: null,
        price: null,
        capacity: null,
        seats_left: null,
        description: "",
        papers,
      },
      state: "mine",
      has_seat: true,
      stage: "exam",
      basic_info: null,
      candidate_number: null,
      desired_schools: [],
      device_checks: [],
      time_percent: 100,
      papers: papers.map(({ id, subject, minutes }) => ({
        paper_id: id,
        subject,
        minutes,
        state:
          id === 12 ? "not_started" : handedIn ? "handed_in" : running ? "running" : "not_started",
        sitting_id: id === 11 && this.startedAt !== null ? ID : null,
        handed_in_at: id === 11 ? handedIn : null,
      })),
    };
  }

  sitting(device: string | null): Sitting {
    return {
      id: ID,
      paper_id: 11,
      exam_id: 1,
      state: this.state,
      now: iso(this.now),
      started_at: iso(this.startedAt ?? this.now),
      deadline_at: iso(this.deadline),
      epoch: this.epoch,
      is_active_device: device === this.device,
      away_seconds: this.awaySeconds,
      question_times: [...this.times].map(([question_id, seconds]) => ({ question_id, seconds })),
      paper: { subject: "数学", minutes: this.minutes, questions: this.questions },
      answers: [...this.answers.values()],
      transcript: this.transcript,
    };
  }

  /** Takes the paper over from another device. */
  takeOverElsewhere(): void {
    this.#takeOver("018f0000-0000-7000-8000-0000000000bb");
  }

  seal(by: Transcript["sealed_by"]): Transcript {
    this.transcript ??= {
      handed_in_at: iso(Math.min(this.now, this.deadline)),
      sealed_by: by,
      digest: "d1".repeat(32),
      answers: this.questions.map(({ id, number }) => ({
        question_id: id,
        number,
        answer: this.answers.get(id)?.answer ?? null,
        saved_at: this.answers.get(id)?.saved_at ?? null,
      })),
    };
    return this.transcript;
  }

  #start(device: string) {
    if (this.transcript !== null)
      return refusal(409, "HANDED_IN", { digest: this.transcript.digest, sitting_id: ID });
    this.startedAt ??= this.now;
    this.device ??= device;
    if (device !== this.device) return refusal(409, "OTHER_DEVICE", { sitting_id: ID });
    return this.sitting(device);
  }

  #takeOver(device: string) {
    if (this.transcript !== null)
      return refusal(409, "HANDED_IN", { digest: this.transcript.digest, sitting_id: ID });
    if (device !== this.device) this.epoch += 1;
    this.device = device;
    return this.sitting(device);
  }

  async #putPicture(picture: Blob): Promise<unknown> {
    if (this.onPicture !== null) return this.onPicture();
    if (this.transcript !== null)
      return refusal(409, "HANDED_IN", { digest: this.transcript.digest, sitting_id: ID });
    const digest = await crypto.subtle.digest("SHA-256", await picture.arrayBuffer());
    const name = Array.from(new Uint8Array(digest), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    this.pictures.delete(name);
    this.pictures.set(name, picture);
    const answer = this.answers.get(105)?.answer ?? null;
    const answered = answer !== null && "picture" in answer ? answer.picture : null;
    for (const old of [...this.pictures.keys()].slice(0, -KEPT_PICTURES))
      if (old !== answered) this.pictures.delete(old);
    return { picture: name };
  }

  async #save(body: SaveRequest): Promise<unknown> {
    this.saves.push(body);
    await this.gate;
    const special = this.onSave?.(body) ?? null;
    if (special !== null) return special;
    if (this.transcript !== null)
      return refusal(409, "HANDED_IN", { digest: this.transcript.digest, sitting_id: ID });
    const acks: SaveReply["acks"] = [];
    const refused: SaveReply["refused"] = [];
    for (const { question_id, sequence, answer, is_flagged, answered_at } of body.answers) {
      const stored = this.answers.get(question_id);
      const order = stored ? body.epoch - stored.epoch || sequence - stored.sequence : 1;
      // The timestamp is corrected by the difference of the device's and the server's clock.
      const at = Date.parse(answered_at) + (this.now - Date.parse(body.device_time));
      const limit = this.questions.find(({ id }) => id === question_id)?.character_limit ?? null;
      const isTooLong = limit !== null && answer !== null && lengthOf(answer) > limit;
      const isMissing =
        answer !== null && "picture" in answer && !this.pictures.has(answer.picture);
      if (isTooLong || isMissing) refused.push({ question_id, code: "INVALID", sequence });
      else if (order < 0) refused.push({ question_id, code: "OLDER", sequence });
      else if (order > 0 && at >= this.deadline)
        refused.push({ question_id, code: "LATE", sequence });
      else {
        if (order > 0)
          this.answers.set(question_id, {
            question_id,
            epoch: body.epoch,
            sequence,
            answer,
            is_flagged,
            saved_at: iso(this.now),
            digest: "d0".repeat(32),
          });
        acks.push({ question_id, sequence, digest: "d0".repeat(32) });
      }
    }
    if (body.device_id !== this.device) return refusal(409, "OTHER_DEVICE", { sitting_id: ID });
    this.awaySeconds = Math.max(this.awaySeconds, body.away_seconds ?? 0);
    for (const { question_id, seconds } of body.question_times ?? [])
      this.times.set(question_id, Math.max(seconds, this.times.get(question_id) ?? 0));
    if (this.replies === "lost") return noNetwork();
    return json<SaveReply>({
      now: iso(this.now),
      deadline_at: iso(this.deadline),
      state: this.state,
      acks,
      refused,
    });
  }

  #handIn(device: string) {
    if (device !== this.device) return refusal(409, "OTHER_DEVICE", { sitting_id: ID });
    return this.seal(this.state === "running" ? "candidate" : "deadline");
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
