export * from "./kit";
