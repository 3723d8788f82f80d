/** Serves silent films to the tests of players, in the formats of HLS packagers. */
import { createCipheriv } from "node:crypto";
import type { Plugin } from "vite";
import { filmInit, filmPart } from "./fmp4";
import { TS_SEGMENT, tsSegment } from "./ts";

/** Duration in seconds of the fragmented MP4, and of each of its segments. */
const LENGTH = 120;
const SEGMENT = 5;
/** Number of segments of the other films. */
const COUNT = 6;

const KEY = Buffer.from("a key of 16 byte");

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

function playlist(segments: readonly string[], tags: readonly string[] = []): string {
  const head = ["#EXTM3U", "#EXT-X-VERSION:7", `#EXT-X-TARGETDURATION:${SEGMENT}`, ...tags];
  return [...head, ...segments, "#EXT-X-ENDLIST", ""].join("\n");
}

const rendition = (name: string, bandwidth: number, lines: number) =>
  `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${lines}x${lines},CODECS="avc1.42c01f,opus"\n${name}/index.m3u8\n`;

const fragment = (number: number) => filmPart(number * SEGMENT, (number + 1) * SEGMENT);

/** Joins the segments of a film into one file, with the byte range of each. */
function joined(segments: readonly Uint8Array[]) {
  let at = 0;
  const ranges = segments.map(({ length }) => `${length}@${(at += length) - length}`);
  return { bytes: Buffer.concat(segments), ranges };
}

const single = joined([filmInit(), ...numbers(COUNT).map(fragment)]);

/** Encrypts a segment with AES-128. Its number is the initialization vector. */
function encrypted(number: number): Buffer {
  const vector = Buffer.alloc(16);
  vector.writeUInt32BE(number, 12);
  const cipher = createCipheriv("aes-128-cbc", KEY, vector);
  return Buffer.concat([cipher.update(tsSegment(number)), cipher.final()]);
}

const transportStream = (ending: string) =>
  numbers(COUNT).map((number) => `#EXTINF:${TS_SEGMENT},\n${number}.${ending}`);

type File = (number: number) => string | Uint8Array;

/** The files by path; a number in a file name is that of a segment. */
const FILES: readonly (readonly [RegExp, File])[] = [
  [
    /^\/fmp4\/master\.m3u8$/,
    () => `#EXTM3U\n${rendition("small", 10_000, 100)}${rendition("large", 100_000, 200)}`,
  ],
  [
    /^\/fmp4\/(?:small|large)\/index\.m3u8$/,
    () =>
      playlist(
        numbers(LENGTH / SEGMENT).map((number) => `#EXTINF:${SEGMENT},\n${number}.m4s`),
        ['#EXT-X-MAP:URI="init.mp4"'],
      ),
  ],
  [/^\/fmp4\/\w+\/init\.mp4$/, filmInit],
  [/^\/fmp4\/\w+\/(\d+)\.m4s$/, fragment],
  [
    /^\/byte-range\/master\.m3u8$/,
    () =>
      playlist(
        single.ranges
          .slice(1)
          .map((range) => `#EXTINF:${SEGMENT},\n#EXT-X-BYTERANGE:${range}\nall.mp4`),
        [`#EXT-X-MAP:URI="all.mp4",BYTERANGE="${single.ranges[0]}"`],
      ),
  ],
  [/^\/byte-range\/all\.mp4$/, () => single.bytes],
  [/^\/ts\/master\.m3u8$/, () => playlist(transportStream("ts"))],
  [/^\/ts\/(\d+)\.ts$/, tsSegment],
  [
    /^\/aes\/master\.m3u8$/,
    () => playlist(transportStream("ts"), ['#EXT-X-KEY:METHOD=AES-128,URI="secret.key"']),
  ],
  [/^\/aes\/secret\.key$/, () => KEY],
  [/^\/aes\/(\d+)\.ts$/, encrypted],
];

/** Vite plugin: films under `/films/`, and any status under `/films/status/{status}`. */
export const films: Plugin = {
  name: "films",
  configureServer({ middlewares }) {
    middlewares.use("/films", ({ url = "", headers }, response) => {
      const status = /^\/status\/(\d+)$/.exec(url)?.[1];
      const [pattern, file] = FILES.find(([path]) => path.test(url)) ?? [];
      if (pattern === undefined || file === undefined) {
        response.statusCode = Number(status ?? 404);
        return response.end();
      }
      const bytes = Buffer.from(file(Number(pattern.exec(url)?.[1])));
      const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
      if (range === null) return response.end(bytes);
      response.statusCode = 206;
      return response.end(bytes.subarray(Number(range[1]), Number(range[2]) + 1));
    });
  },
};
