import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";

export const screens = [
  defineScreen({
    pattern: paths.maintenance.pattern,
    layout: "none",
    serving: "client",
    component: async () => (await import("./MaintenanceScreen")).MaintenanceScreen,
  }),
];
