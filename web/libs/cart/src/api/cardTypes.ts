/** Types of the saved card, from the API document. */
import type { Answer } from "@konomana/http";

type CardAnswer = Answer<"GET", "/api/commerce/card/">;

/** The card that an account has saved at the payment provider. */
export type SavedCard = NonNullable<CardAnswer["card"]>;
