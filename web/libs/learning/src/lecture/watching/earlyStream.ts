import { lecture, type Stream } from "../../api";
import { tabName } from "./tabName";

/** The stream that was started while a lesson's screen was loading. */
let early: { readonly lesson: number; readonly stream: Promise<Stream> } | null = null;
/** Number of open players. A stream that starts in a tab ends the one before it. */
let players = 0;

/** Counts an open player until the returned function is called. */
export function countPlayer(): () => void {
  players += 1;
  return () => {
    players -= 1;
  };
}

/**
 * Starts the stream of a lesson and loads the player and the playlists, while the screen's code and
 * data load. Does nothing while a player is open, because its stream would end. Never rejects: the
 * player reports why the stream failed, and the screen that code is missing.
 */
export async function startStreamEarly(lesson: number): Promise<void> {
  if (players > 0) return;
  const player = loadPlayer();
  const stream = lecture.startStream(lesson, tabName(), false);
  early = { lesson, stream };
  await Promise.allSettled([stream, loadPlaylists(player, stream)]);
}

async function loadPlayer() {
  const player = await import("@konomana/ui-base/video");
  player.preloadPlayer();
  return player;
}

async function loadPlaylists(
  player: ReturnType<typeof loadPlayer>,
  stream: Promise<Stream>,
): Promise<void> {
  const [{ preloadPlaylists }, { playlist }] = await Promise.all([player, stream]);
  await preloadPlaylists(playlist);
}

/**
 * Starts the stream of a lesson, or returns the one that was started early, once. With `takeOver`
 * another stream ends if the limit is reached.
 */
export function startStream(lesson: number, takeOver: boolean): Promise<Stream> {
  const started = early?.lesson === lesson && !takeOver ? early.stream : null;
  early = null;
  return started ?? lecture.startStream(lesson, tabName(), takeOver);
}
