import type { ReactNode } from "react";

/** What a portrait is made of: colours, and the parts that are drawn behind and before the face. */
export interface Look {
  /** The ground of the portrait. */
  readonly ground: string;
  /** A second, stronger tone of the ground, for its shapes. */
  readonly shape: string;
  readonly skin: string;
  /** Cheeks and the shadow of the chin. */
  readonly blush: string;
  readonly hair: string;
  readonly behind?: (hair: string) => ReactNode;
  readonly before: (hair: string) => ReactNode;
  /** Shoulders and what is worn on them. */
  readonly clothes: ReactNode;
  /** Glasses, a beard, earrings. */
  readonly extra?: ReactNode;
  readonly mouth: "smile" | "open";
  readonly brows: string;
}

const SHOULDERS = "M22 200c2-32 24-47 58-54 10 9 30 9 40 0 34 7 56 22 58 54z";

/** A bob with a fringe, and a cardigan. */
const bob: Look = {
  ground: "#e3efff",
  shape: "#bcd7ff",
  skin: "#ffe0cb",
  blush: "#ffb5a3",
  hair: "#5b382b",
  behind: (hair) => (
    <path
      d="M100 30c-36 0-50 26-50 58 0 26-4 42-8 54 14 6 30 4 40-2h36c10 6 26 8 40 2-4-12-8-28-8-54 0-32-14-58-50-58z"
      fill={hair}
    />
  ),
  before: (hair) => (
    <path
      d="M60 94c-3-38 12-58 40-58s43 20 40 58c-4-10-9-16-14-26-18 8-38 8-52-2-4 10-10 18-14 28z"
      fill={hair}
    />
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#e8594a" />
      <path d="M78 147l22 53 22-53c-10 10-34 10-44 0z" fill="#fff" />
      <g fill="#fff" opacity="0.9">
        <circle cx="89" cy="186" r="3" />
      </g>
    </>
  ),
  mouth: "open",
  brows: "#5b382b",
};

/** Short hair brushed up, and square glasses. */
const brushed: Look = {
  ground: "#efe9ff",
  shape: "#d2c2ff",
  skin: "#f7d2b4",
  blush: "#f0a98c",
  hair: "#23242e",
  before: (hair) => (
    <path
      d="M60 86c-6-30 4-50 20-54 4-8 16-10 22-4 10-6 22-2 26 6 14 8 18 28 12 52-3-6-5-14-6-22-10-2-18-6-24-12-10 8-26 12-42 12-3 8-5 16-8 22z"
      fill={hair}
    />
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#4a3fa8" />
      <path d="M80 146l20 24 20-24 8 8-16 30-12-14-12 14-16-30z" fill="#fff" />
    </>
  ),
  extra: (
    <g fill="none" stroke="#23242e" strokeWidth="3">
      <rect x="70" y="80" width="25" height="19" rx="6" fill="#fff" fillOpacity="0.35" />
      <rect x="105" y="80" width="25" height="19" rx="6" fill="#fff" fillOpacity="0.35" />
      <path d="M95 88c3-2 7-2 10 0M70 87l-7-3M130 87l7-3" />
    </g>
  ),
  mouth: "smile",
  brows: "#23242e",
};

/** Hair parted in the middle, and a round collar. */
const parted: Look = {
  ground: "#ffe8ea",
  shape: "#ffc6cd",
  skin: "#fbdcc0",
  blush: "#f4b29a",
  hair: "#3d2c28",
  behind: (hair) => (
    <path
      d="M100 34c-32 0-44 22-44 50 0 14 2 24 5 32h78c3-8 5-18 5-32 0-28-12-50-44-50z"
      fill={hair}
    />
  ),
  before: (hair) => (
    <path
      d="M60 98c-6-40 12-62 40-62s46 22 40 62c-3-10-7-18-12-26-10-4-20-12-27-24-8 14-18 20-29 25-5 8-9 15-12 25z"
      fill={hair}
    />
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#2f5d50" />
      <path
        d="M76 148c6 16 42 16 48 0"
        fill="none"
        stroke="#1f463b"
        strokeWidth="7"
        strokeLinecap="round"
      />
    </>
  ),
  mouth: "smile",
  brows: "#3d2c28",
};

/** Hair tied up in a bun, and the white coat of a laboratory. */
const bun: Look = {
  ground: "#ddf6ec",
  shape: "#a9e3cb",
  skin: "#ffdcc4",
  blush: "#ffaf9c",
  hair: "#2b2a33",
  behind: (hair) => (
    <>
      <circle cx="118" cy="30" r="19" fill={hair} />
      <path
        d="M100 34c-30 0-42 22-42 50 0 12 2 20 4 28h76c2-8 4-16 4-28 0-28-12-50-42-50z"
        fill={hair}
      />
    </>
  ),
  before: (hair) => (
    <>
      <path
        d="M61 94c-4-36 12-56 39-56s43 20 39 56c-3-16-10-26-20-32-16 14-38 14-48 8-5 6-8 14-10 24z"
        fill={hair}
      />
      <path
        d="M100 27c6 4 12 10 15 17"
        stroke="#0a8f6e"
        strokeWidth="6"
        fill="none"
        strokeLinecap="round"
      />
    </>
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#fff" />
      <path d="M80 146l20 30 20-30c-10 9-30 9-40 0z" fill="#0a8f6e" />
      <path
        d="M78 147l-8 14 18 8-4 10 16 21 16-21-4-10 18-8-8-14"
        fill="none"
        stroke="#b9cfc7"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <g stroke="#0a8f6e" strokeWidth="4" strokeLinecap="round">
        <path d="M140 176v12M147 176v12" />
      </g>
    </>
  ),
  mouth: "open",
  brows: "#2b2a33",
};

/** Grey hair with a side parting, a moustache, a waistcoat and a tie. */
const grey: Look = {
  ground: "#fff0d2",
  shape: "#ffd994",
  skin: "#f2c9a8",
  blush: "#e5a184",
  hair: "#7d8491",
  before: (hair) => (
    <path
      d="M61 88c-5-20-1-36 10-44 14-12 46-14 58 2 10 8 14 24 10 42-3-6-4-12-5-20-20 2-38-4-50-16-4 8-10 12-18 16-1 8-2 14-5 20z"
      fill={hair}
    />
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#fff" />
      <path d="M22 200c2-30 20-45 48-52l30 44 30-44c28 7 46 22 48 52z" fill="#7a4b1f" />
      <path d="M94 158h12l-2 10 6 24-10 8-10-8 6-24z" fill="#c2372e" />
    </>
  ),
  extra: (
    <path d="M86 108c4-5 11-5 14-1 3-4 10-4 14 1-4 3-10 4-14 1-4 3-10 2-14-1z" fill="#7d8491" />
  ),
  mouth: "smile",
  brows: "#656c79",
};

/** Long waves, earrings and a jacket. */
const waves: Look = {
  ground: "#ffe9f4",
  shape: "#ffc4e0",
  skin: "#f0c49e",
  blush: "#e79a80",
  hair: "#8a4a2b",
  behind: (hair) => (
    <path
      d="M100 28c-38 0-54 26-52 58 2 18-10 26-6 44 2 14-6 22-2 36 20 8 40 4 48-4h24c8 8 28 12 48 4 4-14-4-22-2-36 4-18-8-26-6-44 2-32-14-58-52-58z"
      fill={hair}
    />
  ),
  before: (hair) => (
    <path
      d="M61 100c-6-40 10-62 41-62 28 0 44 22 37 62-2-14-6-24-14-30-14-2-26-10-34-22-4 14-16 20-22 24-4 8-6 16-8 28z"
      fill={hair}
    />
  ),
  clothes: (
    <>
      <path d={SHOULDERS} fill="#1d4f91" />
      <path d="M78 147l22 44 22-44c-10 10-34 10-44 0z" fill="#ffe08a" />
      <path
        d="M78 147l-6 22 14 4 14 27 14-27 14-4-6-22"
        fill="none"
        stroke="#153a6b"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </>
  ),
  extra: (
    <g fill="#ffc53d">
      <circle cx="62" cy="106" r="4" />
      <circle cx="138" cy="106" r="4" />
    </g>
  ),
  mouth: "open",
  brows: "#6b3720",
};

/** The six looks, in the order of the teachers who wear them. */
export const looks: readonly [Look, ...Look[]] = [bob, brushed, parted, bun, grey, waves];

/** Grounds for teachers beyond the sixth: the same look twice is at least on another ground. */
const grounds = [
  ["#eef0f4", "#d3d8e2"],
  ["#e6f7f9", "#b4e4ea"],
  ["#f4f6d9", "#dfe39a"],
] as const;

/** The look of the teacher with this id: always the same one, and distinct for 1 to 6. */
export function lookOf(id: number): Look {
  const index = Math.max(0, Math.trunc(id) - 1);
  const look = looks[index % looks.length] ?? looks[0];
  const round = Math.floor(index / looks.length);
  if (round === 0) return look;
  const [ground, shape] = grounds[(round - 1) % grounds.length] ?? grounds[0];
  return { ...look, ground, shape };
}
