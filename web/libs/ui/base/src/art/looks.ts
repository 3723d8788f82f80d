/** The parts of a portrait. */
export interface Look {
  /** The id of its drawing in `art.svg`: the person, without a background. */
  readonly drawing: string;
  /** The background colour. */
  readonly ground: string;
  /** A stronger tone of the background, for its shapes. */
  readonly shape: string;
}

/** The six looks, in the order of the teachers with ids 1 to 6. */
const looks: readonly [Look, ...Look[]] = [
  { drawing: "bob", ground: "#e3efff", shape: "#bcd7ff" },
  { drawing: "brushed", ground: "#efe9ff", shape: "#d2c2ff" },
  { drawing: "parted", ground: "#ffe8ea", shape: "#ffc6cd" },
  { drawing: "bun", ground: "#ddf6ec", shape: "#a9e3cb" },
  { drawing: "grey", ground: "#fff0d2", shape: "#ffd994" },
  { drawing: "waves", ground: "#ffe9f4", shape: "#ffc4e0" },
];

/** Backgrounds for teachers after the sixth, so that the same drawing has another background. */
const grounds = [
  ["#eef0f4", "#d3d8e2"],
  ["#e6f7f9", "#b4e4ea"],
  ["#f4f6d9", "#dfe39a"],
] as const;

/** The look of the teacher with this id. It never changes, and is distinct for 1 to 6. */
export function findLook(id: number): Look {
  const index = Math.max(0, Math.trunc(id) - 1);
  const look = looks[index % looks.length] ?? looks[0];
  const round = Math.floor(index / looks.length);
  if (round === 0) return look;
  const [ground, shape] = grounds[(round - 1) % grounds.length] ?? grounds[0];
  return { ...look, ground, shape };
}
