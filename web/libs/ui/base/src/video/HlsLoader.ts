import { XhrLoader } from "hls.js/light";
import { takePlaylist } from "./earlyPlaylists";

/** Gives hls.js the playlists that were requested before it was loaded, and loads everything else. */
export class HlsLoader extends XhrLoader {
  protected override loadInternal(): void {
    const text = takePlaylist(this.context?.url ?? "");
    if (text === undefined) super.loadInternal();
    else void this.#hand(text);
  }

  async #hand(text: Promise<string>): Promise<void> {
    const data = await text.catch(() => null);
    const { context, stats, callbacks } = this;
    // A destroyed loader has none of them.
    if (context === null || callbacks === null || stats.aborted) return;
    if (data === null) return super.loadInternal();
    stats.loading.first = performance.now();
    stats.loading.end = stats.loading.first;
    callbacks.onSuccess({ url: context.url, data, code: 200 }, stats, context, null);
  }
}
