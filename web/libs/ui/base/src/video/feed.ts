import { bytesOf, happens } from "./fetching";
import { type Part, type Parts, partsIn, type Rendition, renditionsIn } from "./playlist";

/** How far ahead of what is seen is loaded, in seconds. */
const AHEAD_S = 30;
/** How much of what was seen is kept, in seconds: going back a little costs nothing. */
const BEHIND_S = 60;
/** What is leapt over where a part begins a little later than its list says, in seconds. */
const HOLE_S = 0.5;
/** What a connection is thought to carry before anything was measured, in bits a second. */
const FIRST_GUESS = 500_000;
/** How much of what a connection carries a video may take: to begin with, and to stay. */
const SHARE = { begin: 0.7, stay: 0.95 };

interface Source {
  /** Where the list of its sizes lies. */
  master: string;
  /** The list of the only size to show; the list of sizes for whichever fits. */
  url: string;
  /** Where to begin, in seconds. */
  from: number;
}

/**
 * Plays a video that lies there as a list with parts of MP4: hands the browser the parts that it needs next, until
 * the signal says stop. What a connection that is gone for a while spoils is had when it is back. Throws when the
 * video can't be had.
 */
export async function feed(
  video: HTMLVideoElement,
  { master, url, from }: Source,
  signal: AbortSignal,
): Promise<void> {
  const base = new URL(master, document.baseURI).href;
  const wanted = new URL(url, document.baseURI).href;
  const [source, list] = await Promise.all([opened(video, signal), textOf(base, signal)]);
  const renditions = renditionsIn(list, base).filter(
    (one) => (wanted === base || wanted === one.url) && MediaSource.isTypeSupported(one.type),
  );
  video.currentTime = from;
  await new Feeder(video, source, renditions, signal).run();
}

async function opened(video: HTMLVideoElement, signal: AbortSignal): Promise<MediaSource> {
  const source = new MediaSource();
  const url = URL.createObjectURL(source);
  video.src = url;
  await happens(source, ["sourceopen"], signal);
  URL.revokeObjectURL(url);
  return source;
}

async function textOf(url: string, signal: AbortSignal): Promise<string> {
  return new TextDecoder().decode(await bytesOf(url, signal));
}

class Feeder {
  readonly #video: HTMLVideoElement;
  readonly #source: MediaSource;
  readonly #buffer: SourceBuffer;
  readonly #smallest: Rendition;
  readonly #larger: readonly Rendition[];
  readonly #signal: AbortSignal;
  readonly #parts = new Map<Rendition, Promise<Parts>>();
  /** The size whose parts the buffer takes. */
  #taken: Rendition | null = null;
  /** What the connection carries, in bits a second. */
  #carried = FIRST_GUESS;
  #ahead = AHEAD_S;

  constructor(
    video: HTMLVideoElement,
    source: MediaSource,
    [smallest, ...larger]: readonly Rendition[],
    signal: AbortSignal,
  ) {
    if (!smallest) throw new Error("The video lies there in no size that plays here.");
    this.#video = video;
    this.#source = source;
    this.#smallest = smallest;
    this.#larger = larger;
    this.#signal = signal;
    this.#buffer = source.addSourceBuffer(smallest.type);
  }

  async run(): Promise<void> {
    for (;;) {
      const rendition = this.#fitting();
      const { init, parts } = await this.#partsOf(rendition);
      const next = this.#next(parts);
      if (!next) {
        this.#leapOverHole();
        if (this.#holds(parts.at(-1)) && this.#source.readyState === "open")
          this.#source.endOfStream();
        await happens(this.#video, ["timeupdate", "seeking", "waiting"], this.#signal);
        continue;
      }
      const [bytes] = await Promise.all([this.#load(next, parts), this.#begin(rendition, init)]);
      if (!bytes || rendition !== this.#taken) continue;
      await this.#forget(0, Math.min(this.#video.currentTime - BEHIND_S, next.from));
      if ((await this.#take(bytes)) && !this.#holds(next))
        throw new Error("A part does not fill its place.");
    }
  }

  /** The largest size that the connection carries, and that the screen can still show. */
  #fitting(): Rendition {
    const lines = this.#video.clientHeight * devicePixelRatio;
    let fitting = this.#smallest;
    for (const one of this.#larger) {
      const share = one === this.#taken ? SHARE.stay : SHARE.begin;
      if (fitting.height < lines && one.bandwidth <= this.#carried * share) fitting = one;
    }
    return fitting;
  }

  #partsOf(rendition: Rendition): Promise<Parts> {
    const known =
      this.#parts.get(rendition) ??
      textOf(rendition.url, this.#signal).then((text) => {
        const found = partsIn(text, rendition.url);
        // All sizes last equally long; the first to come says so before its parts.
        if (Number.isNaN(this.#source.duration))
          this.#source.duration = found.parts.at(-1)?.to ?? 0;
        return found;
      });
    this.#parts.set(rendition, known);
    return known;
  }

  /** Makes the buffer ready for a size's parts. Before that a browser knows nothing of the video, nor of leaps in it. */
  async #begin(rendition: Rendition, init: string): Promise<void> {
    if (rendition === this.#taken) return;
    const beginning = await bytesOf(init, this.#signal);
    this.#buffer.changeType(rendition.type);
    if (await this.#take(beginning)) this.#taken = rendition;
  }

  /** The first part that is missing where the video is, or soon will be; at the very end it is the last one. */
  #next(parts: readonly Part[]): Part | undefined {
    const { currentTime } = this.#video;
    return parts.find(
      (part, index) =>
        (part.to > currentTime || index === parts.length - 1) &&
        part.from < currentTime + this.#ahead &&
        !this.#holds(part),
    );
  }

  #holds(part: Part | undefined): boolean {
    return part !== undefined && this.#rangeAt((part.from + part.to) / 2) !== undefined;
  }

  #rangeAt(second: number): readonly [from: number, to: number] | undefined {
    return rangesOf(this.#buffer.buffered).find(([from, to]) => from <= second && second < to);
  }

  /** A part's bytes; null when the video has leapt away from it meanwhile. */
  async #load(part: Part, parts: readonly Part[]): Promise<ArrayBuffer | null> {
    const left = new AbortController();
    const leave = () => this.#next(parts) !== part && left.abort();
    this.#video.addEventListener("seeking", leave);
    const began = performance.now();
    try {
      const bytes = await bytesOf(part.url, AbortSignal.any([this.#signal, left.signal]));
      const seconds = Math.max(performance.now() - began, 1) / 1000;
      this.#carried = (this.#carried + (bytes.byteLength * 8) / seconds) / 2;
      return bytes;
    } catch (error) {
      if (left.signal.aborted && !this.#signal.aborted) return null;
      throw error;
    } finally {
      this.#video.removeEventListener("seeking", leave);
    }
  }

  /** Puts bytes into the buffer; false where it is full: less is loaded ahead from then on. */
  async #take(bytes: ArrayBuffer): Promise<boolean> {
    try {
      this.#buffer.appendBuffer(bytes);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
      if (!isFull || this.#ahead < 1) throw error;
      this.#ahead /= 2;
      const { currentTime } = this.#video;
      await this.#forget(0, currentTime - this.#ahead);
      await this.#forget(currentTime + this.#ahead, Infinity);
      return false;
    }
    await happens(this.#buffer, ["updateend"], this.#signal);
    return true;
  }

  async #forget(from: number, to: number): Promise<void> {
    const isHeld = rangesOf(this.#buffer.buffered).some(
      (range) => range[0] < to && range[1] > from,
    );
    if (!isHeld) return;
    this.#buffer.remove(from, to);
    await happens(this.#buffer, ["updateend"], this.#signal);
  }

  #leapOverHole(): void {
    const { currentTime } = this.#video;
    if (this.#rangeAt(currentTime)) return;
    const after = rangesOf(this.#buffer.buffered).find(
      ([from]) => from > currentTime && from <= currentTime + HOLE_S,
    );
    if (after) this.#video.currentTime = after[0];
  }
}

function rangesOf(ranges: TimeRanges): [from: number, to: number][] {
  return Array.from({ length: ranges.length }, (_, index) => [
    ranges.start(index),
    ranges.end(index),
  ]);
}
