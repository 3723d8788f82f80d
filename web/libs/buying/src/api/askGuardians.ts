import { call } from "@konomana/http";

/** Sends the cart to the learner's guardians. Without one it is a conflict, `NO_GUARDIAN`; too soon again it is 429. */
export const askGuardians = () => call("POST", "/api/commerce/cart/ask/");
