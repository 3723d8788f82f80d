import { queryOptions } from "@tanstack/react-query";
import { PERSONAL } from "./queries";
import { settings } from "./settings";

/** The browsers in which the person is signed in. Always asked anew: another device may have changed it. */
export const devicesQuery = queryOptions({
  queryKey: [...PERSONAL, "devices"],
  queryFn: async ({ signal }) => (await settings.devices(signal)).results,
});

export const addressQuery = queryOptions({
  queryKey: [...PERSONAL, "address"],
  queryFn: ({ signal }) => settings.address(signal),
});

/** The towns of a postal code of seven digits. They change once a month. */
export const townsQuery = (postalCode: string) =>
  queryOptions({
    queryKey: ["towns", postalCode],
    queryFn: ({ signal }) => settings.towns(postalCode, signal),
    staleTime: Infinity,
  });

export const passkeysQuery = queryOptions({
  queryKey: [...PERSONAL, "passkeys"],
  queryFn: async ({ signal }) => (await settings.passkeys(signal)).results,
});

/** A learner's guardians, and what they have looked at. */
export const guardianLinksQuery = queryOptions({
  queryKey: [...PERSONAL, "guardian-links"],
  queryFn: ({ signal }) => settings.guardianLinks(signal),
});

/** The children of a guardian. */
export const childrenQuery = queryOptions({
  queryKey: [...PERSONAL, "children"],
  queryFn: async ({ signal }) => (await settings.children(signal)).results,
});

/** One child's courses as their guardian sees them. */
export const childQuery = (id: string) =>
  queryOptions({
    queryKey: [...PERSONAL, "child", id],
    queryFn: ({ signal }) => settings.child(id, signal),
  });
