import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kept, stored } from "./privacy-tables";

const REPOSITORY = join(import.meta.dirname, "../../../../..");

/** The text of each file of these kinds in a folder and below, without those of tests. */
function sources(folder: string, kinds: RegExp): string[] {
  const path = join(REPOSITORY, folder);
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter(
      (file) => kinds.test(file) && !/\.test\.tsx?$|[tT]esting\.tsx?$|\btests\.rs$/.test(file),
    )
    .map((file) => readFileSync(join(path, file), "utf8"));
}

/** What a pattern finds as its first group, each once. */
function found(texts: string[], pattern: RegExp): string[] {
  const all = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
  return [...new Set(all)].toSorted();
}

const site = globSync("web/{apps,libs,libs/ui}/*/src", { cwd: REPOSITORY }).flatMap((folder) =>
  sources(folder, /\.tsx?$/),
);

/** The names in the first column; several stand between slashes. */
const listed = stored
  .flatMap(([names = ""]) => names.split(" / "))
  .map((name) => name.replace("（クッキー）", "").replace("…", ""));

test("every key of the browser's storage is listed, and none that is not used", () => {
  const notStored = new Set([
    // The names of locks.
    "konomana.refresh",
    "konomana.exam.",
    // The name of a file that is downloaded.
    "konomana.json",
  ]);
  const others = site.filter((text) => !text.includes("export const stored"));
  const used = found(others, /["'`](konomana\.[\w.:-]+)/g);
  expect(used).toContain("konomana.tokens");
  expect(listed.filter((name) => name.startsWith("konomana.")).toSorted()).toEqual(
    used.filter((name) => !notStored.has(name)),
  );
});

test("the site stores nothing under other names or in other places", () => {
  expect(found(site, /(?:get|set|remove)Item\(\s*(["'`](?!konomana\.)[^"'`]+)/g)).toEqual([]);
  // The database of exams has its row.
  expect(site.filter((text) => /\bindexedDB\b/.test(text))).toHaveLength(1);
  expect(found(site, /(\bcaches\.open\b|\bcookieStore\b)/g)).toEqual([]);
  expect(found(site, /(document\.cookie\s*=[^=])/g)).toEqual([]);
});

test("the keys of the libraries are listed", () => {
  const used = found(
    ["react-router/dist/production", "media-chrome/dist/media-store"].flatMap((folder) =>
      sources(`web/node_modules/${folder}`, /\.js$/),
    ),
    /(?:Storage\.(?:get|set)Item\(\s*|STORAGE_KEY\s*=\s*)"([^"]+)"/g,
  );
  const unused = [
    // No control of ours asks the player's store for them.
    "media-chrome-pref-subtitles-lang",
    "media-chrome-pref-volume",
    // Of React Router as a framework, and of view transitions.
    "react-router-manifest-version",
    "remix-router-transitions",
  ];
  expect(used).toEqual(
    expect.arrayContaining(["media-chrome-pref-muted", "react-router-scroll-positions"]),
  );
  expect(used.filter((name) => !listed.includes(name))).toEqual(unused);
  expect(
    found(site, /(\bviewTransition\b|MEDIA_(?:UN)?MUTE|MEDIA_VOLUME|MEDIA_\w*SUBTITLES)/g),
  ).toEqual([]);
});

test("every cookie of the edge is listed", () => {
  const edge = sources("services/edge/src", /\.rs$/).filter((text) => text.includes("SameSite="));
  const cookies = found(edge, /const (?:NAME|COOKIE): &str = "([^"]+)"/g);
  expect(cookies).toHaveLength(edge.length);
  const named = stored.map(([name = ""]) => name).filter((name) => name.includes("（クッキー）"));
  expect(named.map((name) => name.replace("（クッキー）", "")).toSorted()).toEqual(cookies);
});

test("everything that is kept or stored says for how long", () => {
  for (const row of [...kept, ...stored])
    expect(row).toEqual([expect.stringMatching(/./), expect.stringMatching(/日|時間|年|分|まで/)]);
});
