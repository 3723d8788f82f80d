import { Drawing } from "./Drawing";

/** A notebook with three ticks and a pencil. */
export function DeskArt() {
  return (
    <Drawing>
      <circle cx="214" cy="92" r="88" fill="#fff" opacity="0.7" />
      <rect x="62" y="38" width="176" height="190" rx="16" fill="#fff" />
      <rect x="62" y="38" width="34" height="190" rx="16" fill="#ffc15c" />
      <g fill="#fff">
        <circle cx="79" cy="72" r="6" />
        <circle cx="79" cy="112" r="6" />
        <circle cx="79" cy="152" r="6" />
        <circle cx="79" cy="192" r="6" />
      </g>
      <g stroke="#e6dcd2" strokeWidth="8" strokeLinecap="round">
        <path d="M150 86h62M150 132h50M150 178h58" />
      </g>
      <g fill="none" stroke="#0a6b55" strokeWidth="8" strokeLinecap="round" strokeLinejoin="round">
        <path d="M114 84l9 9 16-18M114 130l9 9 16-18" />
      </g>
      <circle cx="126" cy="178" r="11" fill="none" stroke="#b5bccb" strokeWidth="5" />
      <g transform="rotate(38 252 176)">
        <rect x="242" y="100" width="22" height="96" fill="#e03131" />
        <path d="M242 196h22l-11 28z" fill="#ffe3c2" />
        <path d="M249 214h8l-4 10z" fill="#21242e" />
        <rect x="242" y="86" width="22" height="16" rx="5" fill="#ffb3b3" />
      </g>
    </Drawing>
  );
}

/** A house with a growing chart inside it. */
export function HomeArt() {
  return (
    <Drawing>
      <circle cx="110" cy="104" r="90" fill="#fff" opacity="0.7" />
      <path d="M160 30l112 88v104a12 12 0 0 1-12 12H60a12 12 0 0 1-12-12V118z" fill="#fff" />
      <path
        d="M30 128L160 26l130 102"
        fill="none"
        stroke="#1c56b8"
        strokeWidth="12"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <g>
        <rect x="92" y="170" width="26" height="40" rx="6" fill="#8dbbff" />
        <rect x="130" y="150" width="26" height="60" rx="6" fill="#5b97ef" />
        <rect x="168" y="126" width="26" height="84" rx="6" fill="#1c56b8" />
        <rect x="206" y="140" width="26" height="70" rx="6" fill="#8dbbff" />
      </g>
      <path d="M84 214h156" stroke="#21242e" strokeWidth="5" strokeLinecap="round" />
      <circle cx="160" cy="92" r="15" fill="#ffc15c" />
    </Drawing>
  );
}
