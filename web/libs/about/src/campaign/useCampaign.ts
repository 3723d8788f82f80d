import { rememberCampaign } from "@konomana/visitor";
import { useEffect } from "react";

/** Stores the campaign that led the visitor here, for a later sign-up. */
export function useCampaign(name: string): void {
  useEffect(() => rememberCampaign(name), [name]);
}
