import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const { resolve } = createRequire(import.meta.url);

/** A function that makes PNG of SVG. Its one font comes with the packages: every machine makes the same bytes. */
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
