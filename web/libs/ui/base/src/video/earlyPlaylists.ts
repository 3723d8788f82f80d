import { renditionsIn } from "./renditions";

/** After this time in milliseconds, the player requests a playlist itself. */
const TIMEOUT = 10_000;

/** The texts of playlists that were requested before the player was loaded, by absolute URL. */
const early = new Map<string, Promise<string>>();

/**
 * Requests the playlists of a video, so that the player need not wait for one after the other.
 * Rejects if the multivariant playlist can't be loaded.
 */
export async function requestPlaylists(playlist: string): Promise<void> {
  early.clear();
  const text = await request(playlist);
  // The player requests again what failed.
  for (const { url } of renditionsIn(text, playlist)) request(url).catch(() => {});
}

/** The text of a playlist that was requested, once. */
export function takePlaylist(url: string): Promise<string> | undefined {
  const key = absolute(url);
  const text = early.get(key);
  early.delete(key);
  return text;
}

function request(url: string): Promise<string> {
  const text = loadText(url);
  early.set(absolute(url), text);
  return text;
}

function absolute(url: string): string {
  return new URL(url, document.baseURI).href;
}

async function loadText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) });
  if (!response.ok) throw new Error(`A playlist has the status ${response.status}.`);
  return response.text();
}
