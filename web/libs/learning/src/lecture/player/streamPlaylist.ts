import type { Stream } from "../../api";
import type { Quality } from "./preferences";

/** Where the playlist of a stream lies in a quality; `auto` leaves it to the player. */
export function playlistOf({ playlist }: Pick<Stream, "playlist">, quality: Quality): string {
  return quality === "auto" ? playlist : playlist.replace("master.m3u8", `${quality}/index.m3u8`);
}
