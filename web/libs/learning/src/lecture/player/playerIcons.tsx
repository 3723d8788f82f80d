import { Icon } from "@konomana/ui-base";

export function PlayIcon() {
  return (
    <Icon>
      <path d="M7 4.5v15l12-7.5z" fill="currentColor" />
    </Icon>
  );
}

export function PauseIcon() {
  return (
    <Icon>
      <path d="M8 5v14M16 5v14" strokeWidth="4" />
    </Icon>
  );
}

/** An arrow around a number of seconds. */
export function LeapIcon({ back = false }: { back?: boolean }) {
  return (
    <Icon>
      <path
        d="M12 4.5a8 8 0 1 1-7.4 5M12 1.5v6l-4-3z"
        transform={back ? undefined : "translate(24) scale(-1 1)"}
      />
      <text
        x="12"
        y="15.6"
        fontSize="8"
        fontWeight="700"
        textAnchor="middle"
        fill="currentColor"
        stroke="none"
      >
        10
      </text>
    </Icon>
  );
}

export function CaptionsIcon({ on }: { on: boolean }) {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="14" rx="2" fill={on ? "currentColor" : "none"} />
      <path d="M7 12h4M14 12h3M7 15.5h2M12 15.5h5" stroke={on ? "#16181f" : "currentColor"} />
    </Icon>
  );
}

export function SoundIcon({ on }: { on: boolean }) {
  return (
    <Icon>
      <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" fill="currentColor" />
      <path d={on ? "M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" : "M16 9.5l5 5M21 9.5l-5 5"} />
    </Icon>
  );
}

export function GearIcon() {
  return (
    <Icon>
      <path d="M4 7h8M18 7h2M4 17h2M12 17h8" />
      <circle cx="15" cy="7" r="2.5" />
      <circle cx="9" cy="17" r="2.5" />
    </Icon>
  );
}

export function FullscreenIcon({ on }: { on: boolean }) {
  return (
    <Icon>
      <path
        d={on ? "M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5" : "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"}
      />
    </Icon>
  );
}
