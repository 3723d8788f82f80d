import { rememberCampaign } from "@konomana/visitor";
import { useEffect } from "react";

/** Keeps, for a sign-up to come, that somebody was led here by a campaign. */
export function useCampaign(name: string): void {
  useEffect(() => rememberCampaign(name), [name]);
}
