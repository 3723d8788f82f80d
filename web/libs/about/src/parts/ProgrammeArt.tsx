import { Drawing } from "./Drawing";

/** An answer sheet under a clock. */
export function ExamArt() {
  return (
    <Drawing>
      <circle cx="120" cy="130" r="98" fill="#fff" opacity="0.7" />
      <rect x="60" y="34" width="150" height="196" rx="14" fill="#fff" />
      <rect x="84" y="58" width="76" height="12" rx="6" fill="#b9a2f7" />
      {[0, 1, 2, 3].map((row) => (
        <g key={row} fill="none" stroke="#d2c8f5" strokeWidth="4">
          {[0, 1, 2, 3].map((column) => (
            <circle
              key={column}
              cx={96 + column * 27}
              cy={98 + row * 32}
              r="9"
              fill={(row * 3) % 4 === column ? "#6038c2" : "none"}
            />
          ))}
        </g>
      ))}
      <circle cx="228" cy="92" r="54" fill="#6038c2" />
      <circle cx="228" cy="92" r="42" fill="#fff" />
      <path
        d="M228 66v28l18 12"
        fill="none"
        stroke="#6038c2"
        strokeWidth="7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="228" cy="92" r="5" fill="#6038c2" />
    </Drawing>
  );
}

/** A path of stepping stones to a flag. */
export function PlanArt() {
  return (
    <Drawing>
      <circle cx="190" cy="120" r="100" fill="#fff" opacity="0.7" />
      <path
        d="M40 222c70 0 66-58 120-58s52-58 104-64"
        fill="none"
        stroke="#77d3b2"
        strokeWidth="10"
        strokeDasharray="2 20"
        strokeLinecap="round"
      />
      <g fill="#fff" stroke="#0a6b55" strokeWidth="6">
        <circle cx="52" cy="220" r="20" fill="#0a6b55" />
        <circle cx="118" cy="186" r="20" fill="#0a6b55" />
        <circle cx="186" cy="158" r="20" />
      </g>
      <g fill="none" stroke="#fff" strokeWidth="6" strokeLinecap="round" strokeLinejoin="round">
        <path d="M43 220l7 7 12-14M109 186l7 7 12-14" />
      </g>
      <path d="M262 104V30" stroke="#21242e" strokeWidth="7" strokeLinecap="round" />
      <path d="M262 32h48l-12 17 12 17h-48z" fill="#e03131" />
      <ellipse cx="262" cy="108" rx="30" ry="9" fill="#0a6b55" opacity="0.35" />
    </Drawing>
  );
}
