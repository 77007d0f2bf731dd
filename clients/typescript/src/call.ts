// A call before it is sent: what the generated methods say of it, and how it is written in HTTP.

/** A call. `version`: the one it was decided on (`If-Match`); `keyed`: it may be sent again by its `key`; `reads`: what its answer is, if not JSON. */
export interface Call {
  verb: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  version?: number | undefined;
  key?: string | undefined;
  keyed?: boolean;
  requestId?: string | undefined;
  reads?: "text" | "bytes";
}

/** A part of a path; nothing in it can end the part. */
export function quoted(part: string | number): string {
  return encodeURIComponent(part);
}

/** The query as HTTP has it: what is missing is not sent, lists are parted by commas. */
export function parameters(call: Call): string {
  const given = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written && `?${written}`;
}

/** The headers, to be made once for all attempts: where a key is taken and none was given, this call gets one of its own. */
export function headers(call: Call, token: string | null): Record<string, string> {
  return {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(call.version !== undefined && { "If-Match": `"v${call.version}"` }),
    ...(call.keyed && { "Idempotency-Key": call.key ?? newKey() }),
    ...(call.requestId !== undefined && { "X-Request-Id": call.requestId }),
    ...(call.body !== undefined && { "Content-Type": "application/json" }),
  };
}

// Not randomUUID, which browsers have on secure pages alone.
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
