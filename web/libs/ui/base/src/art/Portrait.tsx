import styles from "./CourseArt.module.css";
import { lookOf } from "./looks";

interface PortraitProps {
  /** The teacher's id, which decides everything that is drawn. */
  id: number;
  /** Whose portrait it is, where no name stands beside it; with one, assistive technology passes it by. */
  name?: string;
}

const mouths = {
  smile: <path d="M88 114c6 7 18 7 24 0" fill="none" stroke="#a34a3c" strokeWidth="3.5" />,
  open: (
    <>
      <path d="M87 111h26c0 10-6 15-13 15s-13-5-13-15z" fill="#a8453a" />
      <path d="M90 111h20v4H90z" fill="#fff" />
    </>
  ),
} as const;

/** A teacher's portrait, drawn from the id: a square that fills its frame. */
export function Portrait({ id, name }: PortraitProps) {
  const look = lookOf(id);
  return (
    <svg
      className={styles.art}
      viewBox="0 0 200 200"
      preserveAspectRatio="xMidYMid slice"
      focusable="false"
      {...(name === undefined
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": `${name}の似顔絵` })}
    >
      <rect width="200" height="200" fill={look.ground} />
      <circle cx="148" cy="58" r="62" fill={look.shape} opacity="0.55" />
      <circle cx="26" cy="150" r="34" fill="#fff" opacity="0.5" />
      <g strokeLinecap="round" strokeLinejoin="round">
        {look.behind?.(look.hair)}
        <path d="M86 118h28v28c0 18-28 18-28 0z" fill={look.skin} />
        <path d="M86 128c8 8 20 8 28 0v6c-8 8-20 8-28 0z" fill={look.blush} opacity="0.5" />
        {look.clothes}
        <g fill={look.skin}>
          <circle cx="62" cy="92" r="8" />
          <circle cx="138" cy="92" r="8" />
          <path d="M63 82c0-28 14-42 37-42s37 14 37 42c0 32-16 53-37 53s-37-21-37-53z" />
        </g>
        <g fill={look.blush} opacity="0.55">
          <ellipse cx="76" cy="105" rx="8" ry="5" />
          <ellipse cx="124" cy="105" rx="8" ry="5" />
        </g>
        <g fill="#2a2026">
          <ellipse cx="83" cy="90" rx="4.2" ry="5.4" />
          <ellipse cx="117" cy="90" rx="4.2" ry="5.4" />
        </g>
        <g fill="#fff">
          <circle cx="84.6" cy="88" r="1.5" />
          <circle cx="118.6" cy="88" r="1.5" />
        </g>
        <path d="M100 95c-2 4-2 6 1 7" fill="none" stroke={look.blush} strokeWidth="2.5" />
        {mouths[look.mouth]}
        {look.before(look.hair)}
        <g fill="none" stroke={look.brows} strokeWidth="3">
          <path d="M76 79c4-3 9-3 13-1M111 78c4-2 9-2 13 1" />
        </g>
        {look.extra}
      </g>
    </svg>
  );
}
