/** The door `./client`: the same verbs, over HTTP. */
import { currencyCode } from './currency.ts';
import { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from './errors.ts';
import { jsonData, jsonText } from './json-data.ts';
import { readAmount } from './money.ts';
import { nearestName } from './nearest-name.ts';
import type {
  Intent,
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  SuspendInput,
  Suspension,
  VerdictRecord,
} from './records.ts';

/** The options of `createIdentityClient`. */
export interface IdentityClientOptions {
  /** Where the API stands, ending in `/api`. */
  readonly baseUrl: string;
  /** An API key of the service, `ais_live_…` or `ais_test_…`. */
  readonly apiKey: string;
  /** Milliseconds until a call is given up; default 5,000. */
  readonly timeoutMs?: number;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A service elsewhere, with one API key. Every verb rejects with an `IdentityError` of the service's code, with
 * `invalid_request` for what JSON does not carry as this process reads it (an accessor, a `Map`, NaN), or with
 * `service_unreachable` when no answer came in time or it does not answer this question: never an ALLOW that was not
 * given.
 */
export interface IdentityClient {
  /** The verdict on an intent. */
  verify(intent: Intent): Promise<VerdictRecord>;
  /** One verdict per intent, in their order. */
  verifyBatch(batch: { readonly intents: readonly Intent[] }): Promise<readonly VerdictRecord[]>;
  /** Revokes a passport; that is final. */
  revoke(input: RevokeInput): Promise<Revocation>;
  /** Suspends a passport, until an instant or until it is reinstated. */
  suspend(input: SuspendInput): Promise<Suspension>;
  /** Ends a suspension. */
  reinstate(input: ReinstateInput): Promise<Reinstatement>;
}

/** A client of the service at `baseUrl`; `invalid_configuration` for a URL or a key that no request can carry. */
export function createIdentityClient(options: IdentityClientOptions): IdentityClient {
  const { apiKey, timeoutMs = 5_000, fetch = globalThis.fetch } = checkedNames(options);
  const baseUrl = checkedBaseUrl(options.baseUrl);
  // What a request says of a bad header holds its value.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) throw unfit('apiKey is no API key');

  async function post(path: string, data: unknown): Promise<unknown> {
    const text = jsonText(data);
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: text,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      answer = await response.json();
    } catch (cause) {
      throw new IdentityError('service_unreachable', 'The identity service did not answer.', { cause });
    }
    if (response.status === 200) return answer;
    throw toError(response, answer);
  }

  return {
    async verify(given) {
      const intent = jsonData(given, MOST_MEMBERS) as Intent;
      return readVerdict(await post('/verify', intent), intent);
    },
    async verifyBatch(given) {
      const batch = jsonData(given, MOST_IN_BATCH) as { readonly intents: readonly Intent[] };
      const { verdicts } = Object(await post('/verify/batch', batch)) as { verdicts?: unknown };
      const { intents } = Object(batch) as Partial<typeof batch>;
      if (!Array.isArray(verdicts) || verdicts.length !== intents?.length) throw notOurs();
      return intents.map((intent, index) => readVerdict(verdicts[index], intent));
    },
    revoke: (input) => change('/revoke', input, ['revoked']),
    suspend: (input) => change('/suspend', input, ['suspended']),
    reinstate: (input) => change('/reinstate', input, ['active', 'expired']),
  };

  async function change<State extends PassportState>(
    path: string,
    given: ReinstateInput,
    statuses: readonly State['status'][],
  ): Promise<State> {
    const input = jsonData(given, MOST_MEMBERS) as ReinstateInput;
    return readState(await post(path, input), input, statuses);
  }
}

/** What a passport is after a change. */
interface PassportState {
  readonly agent_id: string;
  readonly status: string;
}

/** Of a body, and of the body of a batch (CONTRACT section 6). */
const MOST_MEMBERS = 1_000;
const MOST_IN_BATCH = 10_000;

/** A misspelt name must not pass for a default. */
function checkedNames(options: IdentityClientOptions): IdentityClientOptions {
  const stranger = Object.keys(Object(options)).find((name) => !OPTIONS.includes(name));
  if (stranger === undefined) return Object(options);
  const nearest = nearestName(stranger, OPTIONS);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}`;
  throw unfit(`there is no option ${JSON.stringify(stranger)}${hint}`);
}

const OPTIONS: readonly string[] = ['baseUrl', 'apiKey', 'timeoutMs', 'fetch'];

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unfit('baseUrl is no http or https URL');
  if (url.username !== '' || url.password !== '') throw unfit('baseUrl holds a password');
  return text.replace(/\/+$/, '');
}

/** Takes a verdict for one only when it says so in full, and about all of this intent. */
function readVerdict(answer: unknown, intent: Intent): VerdictRecord {
  const record = Object(answer) as Partial<VerdictRecord>;
  const allowed = record.verdict === 'ALLOW' && record.reasons?.length === 0;
  const denied = record.verdict === 'DENY' && (record.reasons?.length ?? 0) > 0;
  const complete = Array.isArray(record.reasons) && typeof record.decision_id === 'string';
  const { agent_id, action, target = null, parameters, dry_run = false } = Object(intent) as Intent;
  const answersThis =
    record.agent_id === agent_id &&
    record.action === action &&
    record.target === target &&
    record.amount === readAmount(parameters?.['amount']) &&
    record.currency === currencyCode(parameters?.['currency']) &&
    record.dry_run === dry_run;
  if (!complete || !(allowed || denied) || !answersThis) throw notOurs();
  return record as VerdictRecord;
}

/** Takes a passport for changed only when the answer says so, and about this passport. */
function readState<State extends PassportState>(
  answer: unknown,
  { agent_id }: ReinstateInput,
  statuses: readonly State['status'][],
): State {
  const state = Object(answer) as Partial<State>;
  if (state.agent_id !== agent_id || !statuses.some((status) => status === state.status)) throw notOurs();
  return state as State;
}

function toError({ headers }: Response, answer: unknown): IdentityError {
  const { code, detail, errors } = Object(answer) as { code?: unknown; detail?: unknown; errors?: unknown };
  if (typeof code !== 'string' || typeof detail !== 'string') return notOurs();
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const details: IdentityErrorDetails = {
    ...(Array.isArray(errors) && { errors }),
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
  };
  return new IdentityError(code as IdentityErrorCode, detail, { details });
}

function notOurs(): IdentityError {
  return new IdentityError('service_unreachable', 'What answered is not the identity service.');
}

/** Never tells the value: it may hold a secret. */
function unfit(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `createIdentityClient: ${problem}.`);
}
