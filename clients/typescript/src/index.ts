// Cardref from TypeScript: every call typed, sent again as long as it may help, a game followed as it is played.
export { Cardref, type Options } from "./client.js";
export { CardrefError, Illegal, Refused, StaleVersion, Unanswered } from "./errors.js";
export { isOver, type LoggedEvent, type Position, type View } from "./positions.js";
export type * from "./types.js";
