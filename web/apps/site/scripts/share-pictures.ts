import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const { resolve } = createRequire(import.meta.url);

/**
 * Returns a function that renders SVG to PNG. Its font comes from an npm package, so every machine
 * produces the same bytes.
 */
export async function pngMaker(): Promise<(svg: string) => Uint8Array> {
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const file = "@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf";
  const fontBuffers = [await readFile(resolve(file))];
  const family = "BIZ UDPGothic";
  const font = {
    fontBuffers,
    defaultFontFamily: family,
    serifFamily: family,
    sansSerifFamily: family,
  };
  return (svg) => new Resvg(svg, { font }).render().asPng();
}
