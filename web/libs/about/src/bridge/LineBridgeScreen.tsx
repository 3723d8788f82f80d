import { Bridge } from "./Bridge";

/** /line-bridge: out of LINE's browser. */
export function LineBridgeScreen() {
  return (
    <Bridge
      name="LINE"
      steps={[
        "画面の右上か右下にある「︙」または「共有」のマークを押す",
        "「他のアプリで開く」または「デフォルトのブラウザで開く」をえらぶ",
      ]}
    />
  );
}
