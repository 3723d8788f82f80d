import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { retentionRows, storageRows } from "./privacy-tables";

const REPOSITORY = join(import.meta.dirname, "../../../../..");

/** Reads the files of these kinds in a folder and its subfolders, without tests. */
function sources(folder: string, kinds: RegExp): string[] {
  const path = join(REPOSITORY, folder);
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter(
      (file) => kinds.test(file) && !/\.test\.tsx?$|[tT]esting\.tsx?$|\btests\.rs$/.test(file),
    )
    .map((file) => readFileSync(join(path, file), "utf8"));
}

/** Collects the first group of every match, sorted and without duplicates. */
function found(texts: string[], pattern: RegExp): string[] {
  const all = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
  return [...new Set(all)].toSorted();
}

const site = globSync("web/{apps,libs,libs/ui}/*/src", { cwd: REPOSITORY }).flatMap((folder) =>
  sources(folder, /\.tsx?$/),
);

/** The names in the first column; a cell may list several, separated by slashes. */
const listed = storageRows
  .flatMap(([names = ""]) => names.split(" / "))
  .map((name) => name.replace(/（クッキー）|（ブラウザのキャッシュ）|…/, ""));

test("every used key of the browser's storage is listed, and no other", () => {
  const notStored = new Set([
    // Names of locks.
    "konomana.refresh",
    "konomana.exam.",
    // Name of a downloaded file.
    "konomana.json",
  ]);
  const others = site.filter((text) => !text.includes("export const storageRows"));
  const used = found(others, /["'`](konomana\.[\w.:-]+)/g);
  expect(used).toContain("konomana.tokens");
  expect(listed.filter((name) => name.startsWith("konomana.")).toSorted()).toEqual(
    used.filter((name) => !notStored.has(name)),
  );
});

test("the site stores nothing under other names or in other kinds of storage", () => {
  expect(found(site, /(?:get|set|remove)Item\(\s*(["'`](?!konomana\.)[^"'`]+)/g)).toEqual([]);
  // The databases of exams and of the device check have their own rows.
  expect(site.filter((text) => /\bindexedDB\b/.test(text))).toHaveLength(2);
  // So has its cache.
  expect(site.filter((text) => /\bcaches\.open\b/.test(text))).toHaveLength(1);
  expect(found(site, /(\bcookieStore\b)/g)).toEqual([]);
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
    // The site has no control that uses these keys of the player's store.
    "media-chrome-pref-subtitles-lang",
    "media-chrome-pref-volume",
    // For React Router's framework mode and view transitions.
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
  const named = storageRows.map(([key = ""]) => key).filter((key) => key.includes("（クッキー）"));
  expect(named.map((name) => name.replace("（クッキー）", "")).toSorted()).toEqual(cookies);
});

test("every row states a retention period", () => {
  for (const row of [...retentionRows, ...storageRows])
    expect(row).toEqual([expect.stringMatching(/./), expect.stringMatching(/日|時間|年|分|まで/)]);
});
