import { cardQuery } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";

const mypage = { layout: "mypage", serving: "client" } as const;

export const screens = [
  defineScreen({
    ...mypage,
    pattern: paths.settings.pattern,
    scope: "any",
    component: async () => (await import("./overview/SettingsScreen")).SettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsBase.pattern,
    scope: "any",
    component: async () => (await import("./base/ProfileSettingsScreen")).ProfileSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsEmail.pattern,
    scope: "any",
    component: async () => (await import("./email/EmailSettingsScreen")).EmailSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsAddress.pattern,
    scope: "any",
    component: async () => (await import("./address/AddressSettingsScreen")).AddressSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsPassword.pattern,
    scope: "any",
    component: async () =>
      (await import("./password/PasswordSettingsScreen")).PasswordSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsCard.pattern,
    scope: "any",
    warm: (queries, { search }) => (search.has("setup") ? [] : [queries.prefetchQuery(cardQuery)]),
    component: async () => (await import("./card/CardSettingsScreen")).CardSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsDevices.pattern,
    scope: "any",
    component: async () => (await import("./devices/DevicesScreen")).DevicesScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsGuardian.pattern,
    scope: "learner",
    component: async () =>
      (await import("./guardian/GuardianSettingsScreen")).GuardianSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsNotification.pattern,
    scope: "any",
    component: async () =>
      (await import("./notification/NotificationSettingsScreen")).NotificationSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsCalendar.pattern,
    scope: "any",
    component: async () =>
      (await import("./calendar/CalendarSettingsScreen")).CalendarSettingsScreen,
  }),
  defineScreen({
    ...mypage,
    pattern: paths.settingsClose.pattern,
    scope: "any",
    component: async () => (await import("./close/CloseAccountScreen")).CloseAccountScreen,
  }),
  defineScreen({
    pattern: paths.closed.pattern,
    layout: "default",
    serving: "client",
    component: async () => (await import("./close/AccountClosedScreen")).AccountClosedScreen,
  }),
];
