/** Writes MPEG-TS with silent AAC, as in older streams. hls.js checks no CRC, so there is none. */

/** Sample rate, and samples in a frame. */
const RATE = 48_000;
const FRAME = 1024;
/** A silent mono frame. */
const SILENCE = [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
/** ADTS header: AAC-LC, 48 kHz, mono, and the length of header and frame. */
const ADTS = [0xff, 0xf1, 0x4c, 0x40, (7 + SILENCE.length) >> 3, 0xbf, 0xfc];

const PACKET = 188;
/** Packet ids of the program map table and of the audio. */
const PROGRAM = 0x1000;
const SOUND = 0x100;
/** The program association table, with one program. */
const PROGRAMS = [0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0, 0, 0, 0, 0];
/** The program map table, with the audio in ADTS. */
const STREAMS = [
  0, 2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0, 0x0f, 0xe1, 0, 0xf0, 0, 0, 0, 0, 0,
];
/** Frames in a PES packet. */
const GROUP = 20;

/** Duration of a segment in seconds: a whole number of frames. */
export const TS_SEGMENT = (225 * FRAME) / RATE;

/** The segment with a number. */
export function tsSegment(number: number): Uint8Array<ArrayBuffer> {
  const packets = [...packetsOf(0, PROGRAMS), ...packetsOf(PROGRAM, STREAMS)];
  const frames = Math.round((TS_SEGMENT * RATE) / FRAME);
  for (let frame = 0; frame < frames; frame += GROUP) {
    const count = Math.min(GROUP, frames - frame);
    const sound = Array.from({ length: count }, () => [...ADTS, ...SILENCE]).flat();
    const time = Math.round(((number * frames + frame) * FRAME * 90_000) / RATE);
    const rest = [0x80, 0x80, 5, ...timestamp(time), ...sound];
    packets.push(
      ...packetsOf(SOUND, [0, 0, 1, 0xc0, rest.length >> 8, rest.length & 255, ...rest]),
    );
  }
  return Uint8Array.from(packets);
}

const timestamp = (time: number) => [
  0x21 | (Math.floor(time / 2 ** 30) << 1),
  (time >> 22) & 255,
  ((time >> 14) & 255) | 1,
  (time >> 7) & 255,
  ((time << 1) & 255) | 1,
];

/**
 * Splits a section or a PES packet into transport stream packets. The adaptation field pads the
 * last one.
 */
function packetsOf(id: number, payload: readonly number[]): number[] {
  const packets: number[] = [];
  for (let at = 0, counter = 0; at < payload.length; counter += 1) {
    const part = payload.slice(at, at + PACKET - 4);
    const missing = PACKET - 4 - part.length;
    const field =
      missing === 0
        ? []
        : [missing - 1, ...(missing > 1 ? [0] : []), ...Array(Math.max(missing - 2, 0)).fill(255)];
    packets.push(0x47, (at === 0 ? 0x40 : 0) | (id >> 8), id & 255);
    packets.push((missing === 0 ? 0x10 : 0x30) | (counter & 15), ...field, ...part);
    at += part.length;
  }
  return packets;
}
