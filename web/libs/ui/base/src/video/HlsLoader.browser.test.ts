import type { HlsConfig, LoaderConfiguration, LoaderContext } from "hls.js/light";
import { afterEach, expect, test, vi } from "vitest";
import { requestPlaylists } from "./earlyPlaylists";
import { HlsLoader } from "./HlsLoader";

const playlist = "/films/fmp4/master.m3u8";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a player that is removed before an early playlist arrives reports nothing", async () => {
  const arrival = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, "fetch").mockReturnValue(arrival.promise);
  const reported: string[] = [];
  const callbacks = {
    onSuccess: () => reported.push("success"),
    onError: () => reported.push("error"),
    onTimeout: () => reported.push("timeout"),
  };
  const noteRejection = () => reported.push("unhandled rejection");
  addEventListener("unhandledrejection", noteRejection);
  const request = requestPlaylists(playlist);
  const loader = new HlsLoader({} as HlsConfig);
  const context = { url: playlist, responseType: "text" } as LoaderContext;
  loader.load(context, {} as LoaderConfiguration, callbacks);
  loader.destroy();
  arrival.resolve(new Response("#EXTM3U"));
  await request;
  // The browser reports an unhandled rejection after the current task.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener("unhandledrejection", noteRejection);
  expect(reported).toEqual([]);
});
