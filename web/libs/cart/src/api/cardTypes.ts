/** The saved card, as the API's document describes it. */
import type { Answer } from "@konomana/http";

type CardAnswer = Answer<"GET", "/api/commerce/card/">;

/** The card that an account has saved at the payment provider. */
export type SavedCard = NonNullable<CardAnswer["card"]>;
