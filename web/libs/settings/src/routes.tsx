import { screens } from "@konomana/paths";
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";

/** A screen whose code is fetched only when its guard lets the person in, which a function here would not do. */
const screen = (
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
): RouteObject => ({
  path: pattern,
  lazy: { Component: async () => (await load()).Component },
});

export const routes: RouteObject[] = [
  screen(screens.settings, () => import("./overview/OverviewScreen")),
  screen(screens.settingsBase, () => import("./base/BaseScreen")),
  screen(screens.settingsEmail, () => import("./email/EmailScreen")),
  screen(screens.settingsAddress, () => import("./address/AddressScreen")),
  screen(screens.settingsPassword, () => import("./password/PasswordScreen")),
  screen(screens.settingsDevices, () => import("./devices/DevicesScreen")),
  screen(screens.settingsGuardian, () => import("./guardian/GuardianScreen")),
  screen(screens.settingsClose, () => import("./close/CloseScreen")),
  screen(screens.closed, () => import("./close/ClosedScreen")),
];
