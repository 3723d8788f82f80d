import type { Subject } from "./subjects";

/** Two speech bubbles: someone asks, someone answers. */
export function English({ ink, tone }: Subject) {
  return (
    <>
      <path
        d="M58 40h104a16 16 0 0 1 16 16v42a16 16 0 0 1-16 16H98l-24 22v-22H58a16 16 0 0 1-16-16V56a16 16 0 0 1 16-16z"
        fill="#fff"
      />
      <text x="62" y="94" fontSize="46" fontWeight="700" fontFamily="Georgia, serif" fill={ink}>
        Aa
      </text>
      <g stroke={tone} strokeWidth="7">
        <path d="M134 66h26M134 84h18" />
      </g>
      <path
        d="M192 66h62a14 14 0 0 1 14 14v34a14 14 0 0 1-14 14h-6v18l-20-18h-36a14 14 0 0 1-14-14V80a14 14 0 0 1 14-14z"
        fill={ink}
      />
      <g fill="#fff">
        <circle cx="204" cy="97" r="6" />
        <circle cx="223" cy="97" r="6" />
        <circle cx="242" cy="97" r="6" />
      </g>
    </>
  );
}

/** A parabola on its axes, and the triangle that leans on it. */
export function Mathematics({ ink, tone }: Subject) {
  return (
    <>
      <rect x="46" y="26" width="164" height="128" rx="16" fill="#fff" />
      <g stroke={tone} strokeWidth="1.5" opacity="0.55">
        <path d="M46 58h164M46 90h164M46 122h164M87 26v128M128 26v128M169 26v128" />
      </g>
      <g stroke={ink} strokeWidth="3" fill="none">
        <path d="M58 122h140M128 142V38" />
        <path d="M121 46l7-9 7 9M190 115l9 7-9 7" />
      </g>
      <path d="M78 44c18 104 82 104 100 0" stroke={ink} strokeWidth="6" fill="none" />
      <circle cx="128" cy="122" r="7" fill={ink} />
      <path d="M222 128l44-76 18 76z" fill={tone} opacity="0.85" />
      <path d="M222 128l44-76 18 76z" stroke={ink} strokeWidth="4" fill="none" />
      <circle cx="234" cy="50" r="13" stroke={ink} strokeWidth="4" fill="none" />
    </>
  );
}

/** The opening words of The Pillow Book, in the squares of manuscript paper, from the right. */
const manuscript = ["春はあけぼ", "のやうやう", "白くなりゆ", "く山ぎは　"].flatMap(
  (line, column) =>
    Array.from(line, (letter, row) => ({ letter, x: 158 - column * 30, y: 33 + row * 23 })),
);

/** Manuscript paper with a line being written on it, and the pencil that writes. */
export function Japanese({ ink, tone }: Subject) {
  return (
    <>
      <rect x="56" y="24" width="136" height="132" rx="12" fill="#fff" />
      {manuscript.map(({ letter, x, y }) => (
        <g key={`${x}-${y}`}>
          <rect x={x} y={y} width="21" height="21" rx="3" fill="none" stroke={tone} />
          <text
            x={x + 10.5}
            y={y + 16.5}
            fontSize="16"
            textAnchor="middle"
            fontFamily='"Hiragino Mincho ProN", "Yu Mincho", "Noto Serif CJK JP", serif'
            fontWeight="700"
            fill={ink}
          >
            {letter}
          </text>
        </g>
      ))}
      <path d="M222 132l34-86 16 7-36 84-18 14z" fill={tone} />
      <path d="M256 46l6-15a8 8 0 0 1 16 6l-6 16z" fill={ink} />
      <path d="M222 132l14 5-18 14z" fill={ink} />
    </>
  );
}

/** A flask that bubbles, and an atom beside it. */
export function Science({ ink, tone }: Subject) {
  return (
    <>
      <path
        d="M96 30h44M104 30v44l-36 62a12 12 0 0 0 10 18h80a12 12 0 0 0 10-18l-36-62V30"
        fill="#fff"
        stroke={ink}
        strokeWidth="5"
      />
      <path
        d="M87 110c12-8 22 8 34 0s20-6 28 0l17 28a8 8 0 0 1-7 12H77a8 8 0 0 1-7-12z"
        fill={tone}
      />
      <g fill="#fff">
        <circle cx="104" cy="132" r="7" />
        <circle cx="130" cy="126" r="5" />
        <circle cx="138" cy="140" r="4" />
      </g>
      <g fill={tone}>
        <circle cx="118" cy="88" r="5" />
        <circle cx="126" cy="68" r="4" />
      </g>
      <g fill="none" stroke={ink} strokeWidth="4">
        <ellipse cx="226" cy="84" rx="46" ry="17" />
        <ellipse cx="226" cy="84" rx="46" ry="17" transform="rotate(60 226 84)" />
        <ellipse cx="226" cy="84" rx="46" ry="17" transform="rotate(120 226 84)" />
      </g>
      <circle cx="226" cy="84" r="9" fill={ink} />
      <g fill={tone} stroke={ink} strokeWidth="3">
        <circle cx="272" cy="84" r="6" />
        <circle cx="203" cy="124" r="6" />
        <circle cx="203" cy="44" r="6" />
      </g>
    </>
  );
}

/** A globe, and the gate of a shrine: the world, and the past. */
export function Society({ ink, tone }: Subject) {
  return (
    <>
      <circle cx="112" cy="90" r="60" fill="#fff" />
      <g fill={tone}>
        <path d="M76 52c14-10 30-12 40-8 4 10-8 14-10 24s-22 8-26 18-18-4-16-14 6-14 12-20z" />
        <path d="M122 96c10-8 32-6 40 2s-4 30-16 38-18 0-20-12-12-20-4-28z" />
      </g>
      <g fill="none" stroke={ink} strokeWidth="4">
        <circle cx="112" cy="90" r="60" />
        <path d="M52 90h120M112 30c-32 34-32 86 0 120M112 30c32 34 32 86 0 120" />
      </g>
      <g stroke={ink} strokeWidth="7" fill="none">
        <path d="M206 66v82M262 66v82M200 94h68" />
        <path d="M190 58c28 8 60 8 88 0" strokeWidth="10" />
      </g>
      <path d="M234 68v22" stroke={ink} strokeWidth="6" />
    </>
  );
}

/** An open book, for a subject that has no picture of its own. */
export function Neutral({ ink, tone }: Subject) {
  return (
    <>
      <path d="M160 52c-24-16-60-18-84-10v96c24-8 60-6 84 10z" fill="#fff" />
      <path d="M160 52c24-16 60-18 84-10v96c-24-8-60-6-84 10z" fill={tone} opacity="0.6" />
      <path
        d="M160 52c-24-16-60-18-84-10v96c24-8 60-6 84 10 24-16 60-18 84-10V42c-24-8-60-6-84 10zv96"
        fill="none"
        stroke={ink}
        strokeWidth="5"
      />
    </>
  );
}
