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
  screen(screens.settings, () => import("./overview/SettingsScreen")),
  screen(screens.settingsBase, () => import("./base/ProfileSettingsScreen")),
  screen(screens.settingsEmail, () => import("./email/EmailSettingsScreen")),
  screen(screens.settingsAddress, () => import("./address/AddressSettingsScreen")),
  screen(screens.settingsPassword, () => import("./password/PasswordSettingsScreen")),
  screen(screens.settingsDevices, () => import("./devices/DevicesScreen")),
  screen(screens.settingsGuardian, () => import("./guardian/GuardianSettingsScreen")),
  screen(screens.settingsClose, () => import("./close/CloseAccountScreen")),
  screen(screens.closed, () => import("./close/AccountClosedScreen")),
];
