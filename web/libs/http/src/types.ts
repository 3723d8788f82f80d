import type { components } from "./schema";

/** The body of a 503 (the specification, §3: maintenance state). */
export type MaintenanceInfo = components["schemas"]["Maintenance"];
