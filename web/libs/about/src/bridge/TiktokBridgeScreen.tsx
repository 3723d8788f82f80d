import { Bridge } from "./Bridge";

/** /tiktok-bridge: out of TikTok's browser. */
export function TiktokBridgeScreen() {
  return (
    <Bridge
      name="TikTok"
      steps={[
        "画面の右上にある「…」のマークを押す",
        "「ブラウザで開く」をえらぶ",
        "出てこないときは、上の「リンクをコピーする」を押して、ブラウザに貼りつける",
      ]}
    />
  );
}
