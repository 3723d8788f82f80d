/** A second of a video as its clock shows it: 200 is `3:20`, 3,725 is `1:02:05`. */
export function clock(second: number): string {
  const whole = Math.max(0, Math.floor(second));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part));
  const [minutes = "0", seconds = "0"] = parts;
  const hours = Math.floor(whole / 3600);
  const tail = `:${seconds.padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${minutes.padStart(2, "0")}${tail}` : minutes + tail;
}
