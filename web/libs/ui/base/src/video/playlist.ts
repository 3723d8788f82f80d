/** A size in which a video lies there, with its own list of parts. */
export interface Rendition {
  url: string;
  /** What it needs at its busiest, in bits a second. */
  bandwidth: number;
  /** How many lines its pictures have; 0 where the list does not say. */
  height: number;
  /** What it is made of, as browsers ask for it. */
  type: string;
}

/** A part of a video. */
export interface Part {
  url: string;
  /** From which second of the video to which. */
  from: number;
  to: number;
}

/** What a size is put together from. */
export interface Parts {
  /** What comes before every part. */
  init: string;
  parts: readonly Part[];
}

const RENDITION = /^#EXT-X-STREAM-INF:(.*)\n(?:#.*\n)*([^#\s].*)$/gm;
const PART = /^#EXTINF:([\d.]+).*\n(?:#.*\n)*([^#\s].*)$/gm;
const INIT = /^#EXT-X-MAP:URI="([^"]+)"$/m;
/** Keys, pieces of files and lists that still grow: nothing that we draw has them. */
const FOREIGN = /^#EXT-X-(?:KEY|BYTERANGE)|^#EXT-X-MAP:.*BYTERANGE/m;

/** The sizes that a list of sizes names, the smallest first. */
export function renditionsIn(text: string, base: string): Rendition[] {
  const found = Array.from(plain(text).matchAll(RENDITION), ([, facts = "", uri = ""]) => ({
    url: new URL(uri, base).href,
    bandwidth: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(facts)?.[1] ?? 0),
    height: Number(/RESOLUTION=\d+x(\d+)/.exec(facts)?.[1] ?? 0),
    type: `video/mp4; codecs="${/CODECS="([^"]+)"/.exec(facts)?.[1] ?? ""}"`,
  }));
  return found.toSorted((a, b) => a.bandwidth - b.bandwidth);
}

/** The parts that a size's list names; throws where they are none that can be put together here. */
export function partsIn(text: string, base: string): Parts {
  const list = plain(text);
  const init = INIT.exec(list)?.[1];
  if (init === undefined || FOREIGN.test(list) || !list.includes("#EXT-X-ENDLIST"))
    throw new Error("The list of parts is not one of ours.");
  let at = 0;
  const parts = Array.from(list.matchAll(PART), ([, seconds = "", uri = ""]) => {
    const from = at;
    at += Number(seconds);
    return { url: new URL(uri, base).href, from, to: at };
  });
  return { init: new URL(init, base).href, parts };
}

function plain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
