/** Types of subscriptions, from the API document. */
import type { Answer } from "@konomana/http";

export type Subscription = Answer<"GET", "/api/commerce/subscription/{id}/">;
export type SubscriptionState = Subscription["state"];
/** A charge of a subscription. */
export type Charge = Subscription["orders"][number];

export type SubscriptionPage = Answer<"GET", "/api/commerce/subscription/">;
