import { call } from "@konomana/http";

/**
 * Sends the cart to the learner's guardians. Fails with 409 `NO_GUARDIAN` if there is none, and
 * with 429 if it is repeated too soon.
 */
export const askGuardians = () => call("POST", "/api/commerce/cart/ask/");
