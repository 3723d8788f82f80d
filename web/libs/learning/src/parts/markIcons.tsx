interface IconProps {
  filled: boolean;
}

/** A star: お気に入り. */
export function StarIcon({ filled }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      color={filled ? "var(--kn-orange-8)" : "var(--kn-gray-7)"}
      {...paint(filled)}
    >
      <path d="M12 3.4l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z" />
    </svg>
  );
}

/** A ribbon: あとで見る. */
export function BookmarkIcon({ filled }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      aria-hidden="true"
      color={filled ? "var(--kn-red-8)" : undefined}
      {...paint(filled)}
    >
      <path d="M7 4h10a1 1 0 0 1 1 1v15l-6-4-6 4V5a1 1 0 0 1 1-1z" />
    </svg>
  );
}

/** A tick in a circle: 学習済み. */
export function CheckIcon({ filled }: IconProps) {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <circle
        cx="12"
        cy="12"
        r="9"
        fill={filled ? "var(--kn-teal-8)" : "none"}
        stroke={filled ? "var(--kn-teal-8)" : "currentColor"}
        strokeWidth="1.75"
      />
      <path
        d="M8 12.2l2.8 2.8L16 9.5"
        fill="none"
        stroke={filled ? "white" : "currentColor"}
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function paint(filled: boolean) {
  return {
    fill: filled ? "currentColor" : "none",
    stroke: "currentColor",
    strokeWidth: 1.75,
    strokeLinejoin: "round",
  } as const;
}
