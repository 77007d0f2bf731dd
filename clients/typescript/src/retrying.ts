// When a call is sent again, and after how long: the rules of docs/reliability.md.

const LEAST = 0.1; // seconds between attempts, where the service does not ask for more
const MOST = 5;

// The gateways' own answers, 502 and 504, say no more than a broken connection: made, or not.
const AGAIN = new Set([429, 502, 503, 504]);
// Of these 503 the same call gets the same answer: the one takes whoever runs the service, the other would cost the same work.
const IN_VAIN = new Set(["store_damaged", "undecided"]);

/** Whether the same call, sent again, may be answered otherwise. */
export function mayHelp(status: number, code: string): boolean {
  return AGAIN.has(status) && !IN_VAIN.has(code);
}

/** How many seconds to wait before the next attempt, after so many; null: to give up, for there is not as much time `left`.
 *  Pauses double, and are never shorter than `Retry-After`; chance keeps callers that were cut off together from coming back together. */
export function pause(attempts: number, retryAfter: string | null, left: number): number | null {
  const grown = Math.min(MOST, LEAST * 2 ** Math.min(attempts - 1, 10)) * (0.5 + Math.random() / 2);
  const seconds = Math.max(grown, /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : 0);
  return seconds <= left ? seconds : null;
}

/** Resolves after so many seconds; rejects as soon as the signal aborts. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
