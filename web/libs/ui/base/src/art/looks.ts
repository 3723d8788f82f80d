/** What a portrait is made of. */
export interface Look {
  /** The name of its drawing in `art.svg`: the person, without a ground. */
  readonly drawing: string;
  /** The ground of the portrait. */
  readonly ground: string;
  /** A second, stronger tone of the ground, for its shapes. */
  readonly shape: string;
}

/** The six looks, in the order of the teachers who wear them. */
const looks: readonly [Look, ...Look[]] = [
  { drawing: "bob", ground: "#e3efff", shape: "#bcd7ff" },
  { drawing: "brushed", ground: "#efe9ff", shape: "#d2c2ff" },
  { drawing: "parted", ground: "#ffe8ea", shape: "#ffc6cd" },
  { drawing: "bun", ground: "#ddf6ec", shape: "#a9e3cb" },
  { drawing: "grey", ground: "#fff0d2", shape: "#ffd994" },
  { drawing: "waves", ground: "#ffe9f4", shape: "#ffc4e0" },
];

/** Grounds for teachers beyond the sixth: the same look twice is at least on another ground. */
const grounds = [
  ["#eef0f4", "#d3d8e2"],
  ["#e6f7f9", "#b4e4ea"],
  ["#f4f6d9", "#dfe39a"],
] as const;

/** The look of the teacher with this id: always the same one, and distinct for 1 to 6. */
export function findLook(id: number): Look {
  const index = Math.max(0, Math.trunc(id) - 1);
  const look = looks[index % looks.length] ?? looks[0];
  const round = Math.floor(index / looks.length);
  if (round === 0) return look;
  const [ground, shape] = grounds[(round - 1) % grounds.length] ?? grounds[0];
  return { ...look, ground, shape };
}
