import type { SaveRequest, Sitting } from "./sittingTypes";

/** What a save reports of the screen. */
export type ScreenReport = Required<Pick<SaveRequest, "away_seconds" | "question_times">>;

/**
 * Counts the seconds out of focus, and the seconds that each question is on the screen and in focus,
 * since the start of a sitting. Counts whole sittings, over reloads and devices, because it goes on
 * from the server's values.
 */
export class ScreenTime {
  /** A clock that never jumps, in milliseconds. */
  readonly #steady: () => number;
  #away = 0;
  #awaySince: number | null = null;
  /** The question on the screen. */
  #shown: number | null = null;
  #shownSince = 0;
  /** Seconds by question, without the present stretch. */
  readonly #seconds = new Map<number, number>();
  /** Whole seconds that the server has. */
  readonly #reported = new Map<number, number>();
  #reportedAway = 0;

  constructor(steady: () => number, sitting: Sitting) {
    this.#steady = steady;
    this.continueFrom(sitting);
  }

  get awaySeconds(): number {
    return this.#away + this.#since(this.#awaySince);
  }

  /** Whether the server has all whole seconds. */
  get isReported(): boolean {
    const { away_seconds, question_times } = this.report();
    return away_seconds <= this.#reportedAway && question_times.length === 0;
  }

  /** Another question is on the screen, or `null` for none. */
  show(question: number | null): void {
    this.#settle();
    this.#shown = question;
  }

  /** The page loses the focus or is hidden. */
  leave(): void {
    this.#settle();
    this.#awaySince ??= this.#steady();
  }

  comeBack(): void {
    this.#settle();
    this.#away = this.awaySeconds;
    this.#awaySince = null;
  }

  /** Goes on from the server's values. Another device may have counted meanwhile. */
  continueFrom(sitting: Sitting): void {
    this.#settle();
    this.#setAway(sitting.away_seconds);
    this.#seconds.clear();
    this.#reported.clear();
    this.#noteKnown(sitting);
    for (const [id, seconds] of this.#reported) this.#seconds.set(id, seconds);
  }

  /** Goes on from its own values where they are higher: this device counted without the server. */
  merge(sitting: Sitting): void {
    this.#settle();
    this.#setAway(Math.max(this.awaySeconds, sitting.away_seconds));
    this.#noteKnown(sitting);
    for (const [id, seconds] of this.#reported)
      this.#seconds.set(id, Math.max(seconds, this.#seconds.get(id) ?? 0));
  }

  /** The values for the server: the questions with more seconds than it has. */
  report(): ScreenReport {
    this.#settle();
    const question_times = [...this.#seconds]
      .map(([question_id, seconds]) => ({ question_id, seconds: Math.floor(seconds) }))
      .filter(({ question_id, seconds }) => seconds > (this.#reported.get(question_id) ?? 0));
    return { away_seconds: Math.floor(this.awaySeconds), question_times };
  }

  /** The server has stored a report. */
  noteReported({ away_seconds, question_times }: ScreenReport): void {
    this.#reportedAway = Math.max(this.#reportedAway, away_seconds);
    for (const { question_id, seconds } of question_times)
      this.#reported.set(question_id, Math.max(seconds, this.#reported.get(question_id) ?? 0));
  }

  #noteKnown({ away_seconds, question_times }: Sitting): void {
    // A copy that an earlier version stored on this device has no times.
    const times: Sitting["question_times"] | undefined = question_times;
    this.noteReported({ away_seconds, question_times: times ?? [] });
  }

  #setAway(seconds: number): void {
    this.#away = seconds;
    if (this.#awaySince !== null) this.#awaySince = this.#steady();
  }

  #since(time: number | null): number {
    return time === null ? 0 : (this.#steady() - time) / 1000;
  }

  /** Adds the present stretch of the question on the screen. */
  #settle(): void {
    const shown = this.#shown;
    if (shown !== null && this.#awaySince === null)
      this.#seconds.set(shown, (this.#seconds.get(shown) ?? 0) + this.#since(this.#shownSince));
    this.#shownSince = this.#steady();
  }
}
