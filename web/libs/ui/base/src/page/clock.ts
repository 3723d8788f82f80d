/** Formats a position in a video: 312 is `5:12`, 3,725 is `1:02:05`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const head = hours === 0 ? String(minutes) : `${hours}:${two(minutes)}`;
  return `${head}:${two(whole % 60)}`;
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}
