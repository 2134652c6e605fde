import { orAborted } from '../base/async/or-aborted.ts';
import { parseInstant } from '../base/values/instant.ts';
import { jsonText } from '../base/values/json-data.ts';
import { createTransport } from '../client/transport.ts';
import { notThisAnswer, unreachable } from '../client/unreachable.ts';
import { IdentityError } from '../errors.ts';
import type { After, Logger } from '../ports/host.ts';
import type { ConfirmedPassports } from '../records/verifier.ts';
import type { Passport } from '../records.ts';
import { DECISION_VERSION } from '../verdict/decision-version.ts';

/**
 * The knowledge of the verifier about each agent: `<version> <updated_at>`, `''` for an absent agent, `null` for an
 * unknown agent.
 */
export type Named = Readonly<Record<string, string | null>>;

/** An answer of the service, with the times of its request. */
export interface Dated extends Omit<ConfirmedPassports, 'ask' | 'at'> {
  /** The reason why the verifier of this API key may not decide. `null` if it may. */
  readonly ask: string | null;
  /** The storage's time at `asOf`, in milliseconds since the Unix epoch. */
  readonly storeMs: number;
  /** The instant of the confirmed state, by the verifier's own clock. */
  readonly asOf: number;
  /** The start of the request, by the verifier's own clock. */
  readonly sentAt: number;
  /** The milliseconds from the request to the answer, minus the time that the service waited for a change. */
  readonly roundTripMs: number;
}

/** The limits of a request. */
interface Limits {
  /** The milliseconds after which the request is aborted. */
  readonly limitMs: number;
  /** `true` if the request is repeated once after the connection breaks. */
  readonly isRepeatable: boolean;
}

/** A request to confirm agents. */
interface ConfirmRequest extends Limits {
  readonly agents: Named;
  /** The milliseconds for which the service waits for a change. */
  readonly waitMs: number;
}

/** Sends requests to one service. */
export interface Channel {
  /** Sends a JSON text and returns the answer. Rejects with the same errors as `confirm`. */
  post(path: string, body: string, limits: Limits): Promise<unknown>;
  /** Returns the answer. Rejects with the error of the service, or with `service_unreachable`. */
  confirm(request: ConfirmRequest): Promise<Dated>;
  tooOld(): IdentityError;
  /** Returns the error for an answer that does not follow the protocol. */
  notThisAnswer(): IdentityError;
  /** Aborts all requests. Later requests are aborted at once. */
  close(): void;
}

/** The parts of a channel. */
interface ChannelParts {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  /** The clock for instants, which includes sleep of the computer. */
  readonly elapsed: () => number;
  readonly after: After;
}

export function createChannel({ baseUrl, headers, fetch, elapsed, after }: ChannelParts): Channel {
  const transport = createTransport({ baseUrl, timeoutMs: null, fetch });
  const running = new Set<AbortController>();
  let isClosed = false;
  let turn = 0;

  const closedError = () => unreachable(baseUrl, 'the verifier is closed');

  async function post(path: string, body: string, { limitMs, isRepeatable }: Limits): Promise<unknown> {
    if (isClosed) throw closedError();
    const controller = new AbortController();
    running.add(controller);
    // Requests end by the timers of `after`.
    const cancel = after(limitMs, () =>
      controller.abort(unreachable(baseUrl, `none came within ${limitMs} ms`)),
    );
    const { signal } = controller;
    const call = { method: 'POST', path, headers, body, success: 200 } as const;
    try {
      // Not every `fetch` observes its signal.
      return await orAborted(transport.send({ ...call, isRepeatable, signal }), signal);
    } finally {
      cancel();
      running.delete(controller);
    }
  }

  return {
    post,
    async confirm({ agents, waitMs, ...limits }) {
      turn += 1;
      const ownTurn = turn;
      const body = jsonText({ turn: ownTurn, agents, wait_ms: waitMs });
      const sentAt = elapsed();
      const answer = await post('/verifier/passports', body, limits);
      const arrivedAt = elapsed();
      if (!isAnswer(answer, ownTurn)) throw notThisAnswer(baseUrl);
      const asOf = sentAt + answer.as_of_ms;
      const storeMs = parseInstant(answer.at);
      if (storeMs === undefined || asOf > arrivedAt) throw notThisAnswer(baseUrl);
      const roundTripMs = arrivedAt - sentAt - Math.max(0, answer.as_of_ms);
      return { ...answer, storeMs, asOf, sentAt, roundTripMs };
    },
    tooOld: () => unreachable(baseUrl, 'what came is too old to decide by'),
    notThisAnswer: () => notThisAnswer(baseUrl),
    close() {
      isClosed = true;
      for (const controller of running) controller.abort(closedError());
    },
  };
}

function isAnswer(answer: unknown, turn: number): answer is ConfirmedPassports {
  const result = Object(answer) as Partial<Record<keyof ConfirmedPassports, unknown>>;
  const { ask, passports, unread } = result;
  return (
    result.turn === turn &&
    Number.isFinite(result.as_of_ms) &&
    [result.at, result.account_id, result.key_id].every((text) => typeof text === 'string') &&
    (ask === null || typeof ask === 'string') &&
    Number.isSafeInteger(result.decision_version) &&
    (result.environment === 'live' || result.environment === 'test') &&
    typeof passports === 'object' &&
    passports !== null &&
    Object.values(passports).every(isPassportOrNull) &&
    Array.isArray(unread) &&
    unread.every((id) => typeof id === 'string')
  );
}

function isPassportOrNull(value: unknown): value is Passport | null {
  return typeof value === 'object' && !Array.isArray(value);
}

// Tracks whether every request must go to the service, the reason for this, and the time of the next check.

/**
 * The reason why every intent goes to the service.
 *
 * - `rules`: the service has rules of its application.
 * - `strict`: the option `consistency` or `journal` of the service is `strict`.
 * - `rate`: the account is over its rate.
 * - `version`: the service has another version of the rules, or is too old for local verifiers.
 * - `scope`: the key has no scope `verify` or `decide`.
 * - `refused`: the key is not valid.
 */
export type AsksReason = 'rules' | 'strict' | 'rate' | 'version' | 'scope' | 'refused';

/** Tracks whether every request must go to the service. */
export interface Asking {
  /**
   * Returns the reason why every request goes to the service. Returns `null` while the verifier decides in its own
   * process.
   */
  reason(): AsksReason | null;
  /**
   * Returns `true` if the verifier should now check whether it can decide in its own process again. The call
   * sets the time for the next check.
   */
  isDue(): boolean;
  take(answer: Dated): boolean;
  /** Handles the error of a request. Returns `true` if the service must be asked because of the error. */
  fail(error: unknown): boolean;
}

/** The milliseconds after which the verifier checks again whether it can decide locally. */
const LOOK_MS = 60_000;
const RATE_LOOK_MS = 5_000;

const FAILURES: Readonly<Record<string, AsksReason>> = {
  unauthenticated: 'refused',
  insufficient_scope: 'scope',
  not_found: 'version',
  method_not_allowed: 'version',
  invalid_request: 'version',
  rate_limited: 'rate',
};

export function createAsking(
  { elapsed, log }: { readonly elapsed: () => number; readonly log: Logger },
  onRefused: () => void,
): Asking {
  let reason: AsksReason | null = null;
  let changedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function change(next: AsksReason | null): void {
    lookedAt = elapsed();
    if (next === 'refused') onRefused();
    if (next === reason) return;
    reason = next;
    changedAt = lookedAt;
    if (next === null) {
      const message = 'Verdicts are decided in this process again.';
      log({ level: 'info', event: 'verifier_decides', message });
    } else {
      const message = 'The service is asked for every verdict.';
      log({ level: 'warn', event: 'verifier_asks', message, reason: next });
    }
  }

  return {
    reason: () => reason,
    isDue() {
      if (reason === null) return false;
      const now = elapsed();
      if (now - lookedAt < (reason === 'rate' ? RATE_LOOK_MS : LOOK_MS)) return false;
      lookedAt = now;
      return true;
    },
    take(answer) {
      // A request from before the change says nothing about what is so since then.
      if (reason !== null && answer.sentAt < changedAt) return false;
      change(reasonIn(answer));
      return reason === null;
    },
    fail(error) {
      const next = error instanceof IdentityError ? FAILURES[error.code] : undefined;
      if (next !== undefined) change(next);
      return next !== undefined;
    },
  };
}

function reasonIn({ ask, decision_version }: Dated): AsksReason | null {
  if (decision_version !== DECISION_VERSION) return 'version';
  if (ask === null || ask === 'rules' || ask === 'strict' || ask === 'rate') return ask;
  return 'version';
}
