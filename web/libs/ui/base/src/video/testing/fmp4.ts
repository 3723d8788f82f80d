/** Writes fragmented MP4 with silent Opus. */

/** Sample rate (the time scale of the film), and samples in a packet. */
const RATE = 48_000;
const PACKET = 960;
/** A silent packet. */
const SILENCE = [0xf8, 0xff, 0xfe];

type Bytes = readonly number[];

const u16 = (value: number): Bytes => [value >> 8, value & 255];
const u32 = (value: number): Bytes => [...u16(value >>> 16), ...u16(value & 0xffff)];
const zeros = (count: number): Bytes => Array.from({ length: count }, () => 0);
const spelt = (text: string): Bytes => Array.from(text, (letter) => letter.charCodeAt(0));

function box(name: string, ...parts: Bytes[]): Bytes {
  const inside = parts.flat();
  return [...u32(inside.length + 8), ...spelt(name), ...inside];
}

const UNITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].flatMap(u32);

/** The initialization segment. */
export function filmInit(): Uint8Array<ArrayBuffer> {
  const opus = box("dOps", [0, 1], u16(0), u32(RATE), u16(0), [0]);
  const sound = box(
    "Opus",
    [...zeros(6), ...u16(1), ...zeros(8)],
    [...u16(1), ...u16(16), ...zeros(4), ...u16(RATE), ...zeros(2)],
    opus,
  );
  const table = box(
    "stbl",
    box("stsd", u32(0), u32(1), sound),
    box("stts", zeros(8)),
    box("stsc", zeros(8)),
    box("stsz", zeros(12)),
    box("stco", zeros(8)),
  );
  const info = box(
    "minf",
    box("smhd", zeros(8)),
    box("dinf", box("dref", u32(0), u32(1), box("url ", u32(1)))),
    table,
  );
  const media = box(
    "mdia",
    box("mdhd", zeros(12), u32(RATE), zeros(8)),
    box("hdlr", zeros(8), spelt("soun"), zeros(13)),
    info,
  );
  const head = [
    ...zeros(12),
    ...u32(1000),
    ...zeros(4),
    ...u32(0x10000),
    ...u16(0x100),
    ...zeros(10),
  ];
  const movie = box(
    "moov",
    box("mvhd", head, UNITY, zeros(24), u32(2)),
    box(
      "trak",
      box(
        "tkhd",
        u32(7),
        zeros(8),
        u32(1),
        zeros(20),
        u16(0),
        u16(0x100),
        zeros(2),
        UNITY,
        zeros(8),
      ),
      media,
    ),
    box("mvex", box("trex", u32(0), u32(1), u32(1), zeros(12))),
  );
  return Uint8Array.from([...box("ftyp", spelt("iso5"), u32(0), spelt("iso5mp41")), ...movie]);
}

/** A media segment, from one second to another. */
export function filmPart(from: number, to: number): Uint8Array<ArrayBuffer> {
  const packets = Math.round(((to - from) * RATE) / PACKET);
  const fragment = (offset: number) =>
    box(
      "moof",
      box("mfhd", u32(0), u32(1)),
      box(
        "traf",
        box("tfhd", u32(0x020018), u32(1), u32(PACKET), u32(SILENCE.length)),
        box("tfdt", u32(0x01000000), u32(0), u32(Math.round(from * RATE))),
        box("trun", u32(1), u32(packets), u32(offset)),
      ),
    );
  const data = Array.from({ length: packets }, () => SILENCE).flat();
  return Uint8Array.from([...fragment(fragment(0).length + 8), ...box("mdat", data)]);
}
