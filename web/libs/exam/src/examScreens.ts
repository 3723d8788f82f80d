import type { Screen } from "@konomana/screens";
import { sittingScreens } from "./sitting/sittingScreens";

export const screens: readonly Screen[] = [...sittingScreens];
