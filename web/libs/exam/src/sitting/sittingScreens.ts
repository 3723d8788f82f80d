import type { Screen } from "@konomana/screens";

/** The screens of an exam that is being sat, and of what was handed in. */
export const sittingScreens: readonly Screen[] = [];
