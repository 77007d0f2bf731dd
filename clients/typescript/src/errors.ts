// What a call may throw. All of it is a CardrefError.
import type { Problem, Violation } from "./types.js";

/** A call has no answer of the kind that it asks for. */
export class CardrefError extends Error {
  override readonly name: string = this.constructor.name;
}

/** No answer came, however often the call was sent: what it asks for was done or was not. The same call with the same
 *  `idempotencyKey` settles it, for 24 hours. */
export class Unanswered extends CardrefError {
  constructor(said: string, readonly idempotencyKey: string | undefined, cause: unknown) {
    super(said, { cause });
  }
}

/** The service refused: `status` and, where the answer was a problem as the contract has it, `code` and `problem`. */
export class Refused extends CardrefError {
  readonly code: string;

  constructor(readonly status: number, readonly problem: Problem | null, readonly idempotencyKey: string | undefined) {
    super(problem ? `${status} ${problem.code}: ${problem.detail}` : `${status}, and no problem`);
    this.code = problem?.code ?? "";
  }
}

/** 412: the game has moved on, and nothing was done. Look at it (`version` is the one there is) and decide anew. */
export class StaleVersion extends Refused {
  get version(): number | undefined {
    return this.problem?.version ?? undefined;
  }
}

/** 409: the rules forbid it, and nothing was done; for a move `violation` says why. */
export class Illegal extends Refused {
  get violation(): Violation | undefined {
    return this.problem?.violation ?? undefined;
  }
}

/** The error for an answer that is no success. */
export function refusal(status: number, text: string, key: string | undefined): Refused {
  const kind = status === 409 ? Illegal : status === 412 ? StaleVersion : Refused;
  return new kind(status, problemIn(text), key);
}

function problemIn(text: string): Problem | null {
  try {
    const body: unknown = JSON.parse(text);
    const isProblem = typeof body === "object" && body !== null && "code" in body && "detail" in body;
    return isProblem ? (body as Problem) : null;
  } catch {
    return null; // a gateway's
  }
}
