import { call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { settings } from "./settings";

/** The query keys of the settings. */
const keys = {
  devices: [...PERSONAL, "devices"],
  towns: (postalCode: string) => ["towns", postalCode],
  passkeys: [...PERSONAL, "passkeys"],
  notifications: [...PERSONAL, "notification-settings"],
  calendarAddress: [...PERSONAL, "calendar-address"],
  guardianLinks: [...PERSONAL, "guardian-links"],
} as const;

/**
 * The signed-in browsers of the person. Refetched on every use, because another device may have
 * changed them.
 */
export const devicesQuery = queryOptions({
  queryKey: keys.devices,
  queryFn: async ({ signal }) => (await call("GET", "/api/accounts/sessions/", { signal })).results,
});

/** The towns of a seven-digit postal code. They change once a month. */
export const townsQuery = (postalCode: string) =>
  queryOptions({
    queryKey: keys.towns(postalCode),
    queryFn: ({ signal }) => settings.towns(postalCode, signal),
    staleTime: Infinity,
  });

export const passkeysQuery = queryOptions({
  queryKey: keys.passkeys,
  queryFn: async ({ signal }) => (await call("GET", "/api/accounts/passkeys/", { signal })).results,
});

/** Which notifications the person gets, and when. */
export const notificationsQuery = queryOptions({
  queryKey: keys.notifications,
  queryFn: ({ signal }) => call("GET", "/api/desk/notification/setting/", { signal }),
});

/** Whether the person has an address for calendar apps. */
export const calendarAddressQuery = queryOptions({
  queryKey: keys.calendarAddress,
  queryFn: ({ signal }) => call("GET", "/api/desk/calendar/", { signal }),
});

/** A learner's guardians. */
export const guardianLinksQuery = queryOptions({
  queryKey: keys.guardianLinks,
  queryFn: ({ signal }) => call("GET", "/api/accounts/guardian/links/", { signal }),
});
