import { createStore, type Store } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import { AnswerSender } from "./AnswerSender";
import type { AnswerStore } from "./answerStore";
import { type AnswerChange, DeviceAnswers } from "./DeviceAnswers";
import { DevicePictures } from "./DevicePictures";
import { mayPass } from "./mayPass";
import { ScreenTime } from "./ScreenTime";
import type { ServerClock } from "./ServerClock";
import type { SittingApi } from "./sittingApi";
import { phaseOf, type SittingState } from "./sittingState";
import type { ExamAnswer, Sitting, Transcript } from "./sittingTypes";
import type { Timing } from "./timing";

interface SessionParts {
  api: SittingApi;
  store: AnswerStore;
  clock: ServerClock;
  timing: Timing;
  learner: string;
  device: string;
  /** A random number from 0 to 1. */
  random: () => number;
  /** The sitting comes from this device, because the server could not be reached. */
  isCopy: boolean;
}

/**
 * A sitting on this device. Each change is stored on the device at once and sent to the server
 * soon. Only the server ends a sitting.
 */
export class SittingSession {
  readonly state: Store<SittingState>;
  readonly clock: ServerClock;
  readonly #parts: SessionParts;
  readonly #answers: DeviceAnswers;
  readonly #pictures: DevicePictures;
  readonly #sender: AnswerSender;
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  /** Changes made while the server is asked whether the time is over. */
  readonly #held: (() => void)[] = [];
  /** Whether the sitting has not been fetched from the server yet. */
  #isCopy: boolean;
  #over: AbortController | null = null;
  readonly #screen: ScreenTime;

  constructor(parts: SessionParts, sitting: Sitting) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.#isCopy = parts.isCopy;
    this.#screen = new ScreenTime(parts.timing.clocks.steady, sitting);
    this.state = createStore<SittingState>({
      sitting,
      entries: new Map(),
      phase: phaseOf(sitting),
      unsent: 0,
      isConnected: !parts.isCopy,
      isTakenOver: !sitting.is_active_device,
      storage: "kept",
      failure: null,
      transcript: sitting.transcript,
    });
    this.#answers = new DeviceAnswers({ ...parts, state: this.state });
    this.#pictures = new DevicePictures({
      ...parts,
      state: this.state,
      fail: (error) => this.#fail(error),
    });
    this.#answers.takeAll(sitting.answers);
    this.#sender = new AnswerSender({
      ...parts,
      state: this.state,
      answers: this.#answers,
      pictures: this.#pictures,
      screen: this.#screen,
      session: {
        isCopy: () => this.#isCopy,
        renew: () => this.#renew(),
        left: () => this.left,
        takePhase: (state) => this.#takePhase(state),
        fail: (error) => this.#fail(error),
        endWhenOver: () => this.#endWhenOver(),
      },
    });
  }

  get questions() {
    return this.state.get().sitting.paper.questions;
  }

  /** Seconds out of focus since the start. */
  get awaySeconds(): number {
    return this.#screen.awaySeconds;
  }

  /** Milliseconds until the deadline, by the server's clock. */
  get left(): number {
    return Date.parse(this.state.get().sitting.deadline_at) - this.clock.now().time;
  }

  /**
   * Loads the stored answers of this device. `isNew`: this device has just taken over and has none.
   */
  async restore(isNew: boolean): Promise<void> {
    await this.#answers.restore(isNew, this.#isCopy);
  }

  /** Sends the restored answers and every later change, until `stop`. */
  start(): void {
    this.#over = new AbortController();
    const { signal } = this.#over;
    const ticking = setInterval(() => this.#tick(), this.#parts.timing.tick);
    signal.addEventListener("abort", () => clearInterval(ticking));
    this.#sender.start(signal);
    this.#listen(signal);
    void this.flush();
  }

  stop(): void {
    this.#over?.abort();
    clearTimeout(this.#askTimer);
    this.#askTimer = undefined;
    this.#answers.stop();
  }

  /** Answers a question. `null` removes the answer. */
  answer(question: number, answer: ExamAnswer | null): void {
    this.#pictures.supersede(question);
    this.#change(question, { answer });
  }

  /** Answers a question with a picture. It is on the device before its answer is. */
  async answerPicture(question: number, picture: Blob): Promise<void> {
    const answer = await this.#pictures.keep(question, picture);
    if (answer !== null) this.#change(question, { answer });
  }

  /** The picture of an answer, from this device or from the server. Failures are `ApiError`s. */
  findPicture(question: number, name: string): Promise<Blob> {
    return this.#pictures.load(question, name);
  }

  flag(question: number, isFlagged: boolean): void {
    this.#change(question, { isFlagged });
  }

  /** A question is on the screen, or `null` for none. Its time is counted. */
  show(question: number | null): void {
    this.#screen.show(question);
  }

  /** Sends the unacknowledged answers. Resolves when the server has them or can't be reached. */
  flush(): Promise<void> {
    return this.#sender.flush();
  }

  /**
   * Fetches the server's clock and the state of the sitting, and sends the unacknowledged answers.
   */
  async synchronize(): Promise<void> {
    await this.#sender.settle();
    if (this.#answers.unsent.length > 0 || this.#isCopy) await this.#sender.sendAll();
    else if (await this.#sender.report()) await this.#endWhenOver();
  }

  /** Makes this device the active one. Failures are `ApiError`s. */
  async takeOver(): Promise<void> {
    const { api, device } = this.#parts;
    const sentAt = this.#steady();
    const { id } = this.state.get().sitting;
    const sitting = await api.takeOver(id, device, this.#deviceTime());
    this.#screen.continueFrom(sitting);
    this.#takeSitting(sitting, sentAt);
    await this.flush();
  }

  /**
   * Hands the sitting in. Unacknowledged answers are sent first; if that fails, nothing is handed
   * in. Failures are `ApiError`s.
   */
  async handIn(): Promise<void> {
    const { api, device } = this.#parts;
    await this.#sender.sendAll();
    if (this.state.get().phase === "running" && !this.#screen.isReported)
      await this.#sender.report(true);
    const { sitting, phase, failure, isConnected } = this.state.get();
    if (phase === "sealed") return;
    if (this.#answers.unsent.length > 0)
      throw (
        failure ??
        new ApiError({ status: 0, code: isConnected ? "UNKNOWN" : "NETWORK", traceId: "" })
      );
    try {
      this.#seal(await api.handIn(sitting.id, device, sitting.epoch));
    } catch (error) {
      await this.#fail(error);
      throw error;
    }
  }

  #steady(): number {
    return this.#parts.timing.clocks.steady();
  }

  #deviceTime(): string {
    return new Date(this.#parts.timing.clocks.wall()).toISOString();
  }

  #set(parts: Partial<SittingState>): void {
    this.state.set({ ...this.state.get(), ...parts });
  }

  #change(question: number, change: AnswerChange): void {
    const { isTakenOver } = this.state.get();
    if (this.left <= 0) this.#ask();
    const { phase } = this.state.get();
    // Held back: a late change would replace an earlier one that is not acknowledged yet.
    if (phase === "asking") this.#held.push(() => this.#change(question, change));
    if (phase !== "running" || isTakenOver) return;
    this.#answers.change(question, change, this.#deviceTime());
    this.#sender.plan();
  }

  /** Replaces a sitting that was opened from this device by the server's. Returns whether it is still running. */
  async #renew(): Promise<boolean> {
    const { api, device } = this.#parts;
    const sentAt = this.#steady();
    try {
      const sitting = await api.find(this.state.get().sitting.id, device);
      this.#isCopy = false;
      this.#screen.merge(sitting);
      this.#takeSitting(sitting, sentAt);
      if (sitting.transcript !== null) this.#seal(sitting.transcript);
    } catch (error) {
      await this.#fail(error);
      return false;
    }
    const { phase, isTakenOver } = this.state.get();
    return phase !== "sealed" && !isTakenOver;
  }

  async #fail(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    const { code, status } = error;
    if (code === "OTHER_DEVICE") this.#set({ isTakenOver: true, isConnected: true });
    else if (code === "HANDED_IN") await this.#findTranscript();
    else if (status === 0) this.#set({ isConnected: false });
    // An overloaded, closed or failing server, and the end of the login, count as a lost connection: the save is tried
    // again.
    else if (mayPass(error)) this.#set({ isConnected: false, failure: error });
    else this.#set({ failure: error });
  }

  async #findTranscript(): Promise<void> {
    const { api, device } = this.#parts;
    const sitting = await api.find(this.state.get().sitting.id, device).catch(() => null);
    if (sitting?.transcript) this.#seal(sitting.transcript);
  }

  #seal(transcript: Transcript): void {
    this.#set({ transcript, phase: "sealed", isConnected: true });
    this.stop();
    this.#answers.clear();
  }

  #takeSitting(sitting: Sitting, sentAt: number): void {
    this.clock.sync(Date.parse(sitting.now), sentAt);
    this.#set({
      sitting,
      isTakenOver: !sitting.is_active_device,
      isConnected: true,
      failure: null,
      transcript: sitting.transcript,
    });
    this.#answers.takeAll(sitting.answers);
    this.#takePhase(sitting.state);
  }

  #takePhase(state: Sitting["state"]): void {
    if (state === "running") {
      clearTimeout(this.#askTimer);
      this.#askTimer = undefined;
      if (this.state.get().phase === "asking") this.#set({ phase: "running" });
      for (const change of this.#held.splice(0)) change();
    } else if (this.state.get().phase !== "sealed") {
      this.#set({ phase: "over" });
      this.#dropHeld();
    }
  }

  /** Discards the held changes: they came too late and must not be shown as answers. */
  #dropHeld(): void {
    if (this.#held.splice(0).length > 0) this.#answers.showStored();
  }

  #tick(): void {
    const { phase } = this.state.get();
    if (this.clock.hasJumped && !this.#sender.isSending) void this.synchronize();
    if (phase === "running" && this.left <= 0) this.#ask();
  }

  /**
   * Asks the server whether the time is over. It asks at once if there are unsent answers. Other
   * devices wait for a random delay, so they do not ask at the same moment.
   */
  #ask(): void {
    const { phase } = this.state.get();
    if (phase !== "running" || this.#askTimer !== undefined) return;
    this.#set({ phase: "asking" });
    const { timing, random } = this.#parts;
    const again = async () => {
      await this.synchronize();
      const now = this.state.get().phase;
      this.#askTimer =
        (now === "asking" || now === "over") && !this.#over?.signal.aborted
          ? setTimeout(() => void again(), timing.retry)
          : undefined;
    };
    const wait = this.#answers.unsent.length > 0 ? 0 : random() * timing.askWithin;
    this.#askTimer = setTimeout(() => void again(), wait);
  }

  /** Hands the sitting in after the deadline, once the server has every earlier answer. */
  async #endWhenOver(): Promise<void> {
    const { phase, sitting, isTakenOver } = this.state.get();
    if (phase !== "over" || this.#answers.unsent.length > 0 || isTakenOver) return;
    try {
      const { api, device } = this.#parts;
      this.#seal(await api.handIn(sitting.id, device, sitting.epoch));
    } catch (error) {
      await this.#fail(error);
    }
  }

  #listen(signal: AbortSignal): void {
    const on = (target: EventTarget, name: string, listener: () => void) =>
      target.addEventListener(name, listener, { signal });
    on(globalThis, "online", () => void this.synchronize());
    on(globalThis, "offline", () => this.#set({ isConnected: false }));
    on(globalThis, "pagehide", () => this.#sender.leave());
    on(globalThis, "blur", () => this.#screen.leave());
    on(globalThis, "focus", () => this.#comeBack());
    on(document, "visibilitychange", () => {
      if (document.hidden) {
        this.#screen.leave();
        this.#sender.leave();
      } else {
        this.#comeBack();
        void this.synchronize();
      }
    });
  }

  #comeBack(): void {
    this.#screen.comeBack();
    // Screens that show the time out of focus render again.
    this.#set({});
  }
}
