// A game at one of its versions, as one caller meets it: whichever answer told it.
import type * as t from "./types.js";

export type View = t.RummyView | t.SwoopView;
export type LoggedEvent = t.RummyLoggedEvent | t.SwoopLoggedEvent;

/** What the caller sees at `version`, and may do. `moves` is empty where another is to move, and for spectators; null where they
 *  could not be proved in the time there is (ask `listLegalMoves`). `events`: what led here from the position before. */
export interface Position {
  readonly version: number;
  readonly view: View;
  readonly moves: readonly t.Move[] | null;
  readonly events: readonly LoggedEvent[];
}

/** Whether the match has ended. */
export function isOver(position: Position): boolean {
  return position.view.phase === "match_over";
}

/** The position that an answer tells; null if it carries no view, as the parts of a long log but for its last. */
export function position(told: t.GameLog | t.MadeMove | t.ShownGame, events: readonly LoggedEvent[] = []): Position | null {
  const { version, view, legal_moves } = told;
  return view ? { version, view, moves: legal_moves ? (legal_moves.moves ?? null) : [], events } : null;
}
