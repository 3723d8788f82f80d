import { Note } from "@konomana/ui-base";
import { encodeQR } from "qr";
import styles from "./qrCode.module.css";

interface QrCodeProps {
  text: string;
  /** Accessible name of the picture. */
  label: string;
}

/** The capacity of a QR code, in bytes. */
const MAX_BYTES = 2_953;

/** Draws a QR code. */
export function QrCode({ text, label }: QrCodeProps) {
  if (text.length > MAX_BYTES)
    return <Note>この教科は問題が多いため、QRコードにできません。ファイルを使ってください。</Note>;
  const rows = encodeQR(text, "raw", { ecc: "low", border: 4 });
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={rows.map(drawRow).join("")} fill="#000" />
    </svg>
  );
}

/** The path of a row's dark modules. Adjacent modules are one stroke. */
function drawRow(row: readonly boolean[], y: number): string {
  const runs = [
    ...row
      .map((isDark) => (isDark ? "1" : "0"))
      .join("")
      .matchAll(/1+/g),
  ];
  return runs.map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join("");
}
