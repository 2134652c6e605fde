/** The options of a local verifier, checked. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { checkedBaseUrl, checkedSecret, misconfigured } from '../client/address.ts';
import { checkedTraceparent, type TraceparentSource } from '../client/trace-header.ts';
import { checkedTimeout } from '../client/transport.ts';
import type { IdentityClientOptions } from '../client.ts';
import { secureRandom } from '../platform/index.ts';
import type { After, Clock, Logger, RandomSource } from '../ports/host.ts';
import type { CacheLimits } from '../service/options.ts';
import { checkedCache } from '../service/setup/checked-values.ts';
import { boundLog } from '../service/shared/bounded-log.ts';
import { awaitedAfter, systemAfter } from '../service/shared/timers.ts';

/** The options of `createLocalVerifier`. */
export interface LocalVerifierOptions extends Omit<IdentityClientOptions, 'agentKey'> {
  /** The name of this verifier in its records: `[a-z0-9][a-z0-9._-]{0,62}`; default `local`. */
  readonly name?: string;
  /** The most passports that are held, 100,000 by default, and their approximate bytes, 64 MiB by default. */
  readonly cache?: Partial<CacheLimits>;
  /** Receives log events; none by default. */
  readonly log?: Logger;
  /** The clock, for tests. */
  readonly clock?: Clock;
  /** The timers, for tests. */
  readonly after?: After;
  /** The random source, for tests. */
  readonly random?: RandomSource;
}

/** The options with their defaults. */
export interface VerifierSettings {
  readonly client: IdentityClientOptions;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly traceparent: TraceparentSource | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly name: string;
  readonly cache: CacheLimits;
  readonly log: Logger;
  readonly closeLog: () => void;
  readonly clock: Clock;
  readonly after: After;
  readonly random: RandomSource;
}

const MAKER = 'createLocalVerifier';
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const CACHE: OptionNames<CacheLimits> = { maxEntries: true, maxBytes: true };
const OPTIONS: OptionNames<LocalVerifierOptions> = {
  ...{ baseUrl: true, apiKey: true, timeoutMs: true, traceparent: true, fetch: true },
  ...{ name: true, cache: true, log: true, clock: true, after: true, random: true },
};

/** Checks the options; throws `invalid_configuration`. */
export function checkedOptions(options: LocalVerifierOptions): VerifierSettings {
  const given = knownOptions(MAKER, options, OPTIONS);
  const { name = 'local', cache = {}, log, clock, after, random } = given;
  if (typeof name !== 'string' || !NAME.test(name))
    throw misconfigured(MAKER, 'name is not a name of [a-z0-9][a-z0-9._-]{0,62}');
  knownOptions<object>(MAKER, cache, CACHE, 'cache.');
  for (const [option, value] of Object.entries({ log, after, fetch: given.fetch })) {
    if (value !== undefined && typeof value !== 'function')
      throw misconfigured(MAKER, `${option} is not a function`);
  }
  if (clock !== undefined && typeof Object(clock).now !== 'function')
    throw misconfigured(MAKER, 'clock is not a clock');
  if (random !== undefined && typeof Object(random).bytes !== 'function')
    throw misconfigured(MAKER, 'random is not a random source');
  const { apiKey, timeoutMs, traceparent, fetch = globalThis.fetch } = given;
  const baseUrl = checkedBaseUrl(MAKER, given.baseUrl);
  const { log: boundedLog, close: closeLog } = boundLog(log ?? (() => {}), after ?? systemAfter);
  return {
    client: {
      ...{ baseUrl, apiKey, fetch },
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(traceparent !== undefined && { traceparent }),
    },
    headers: { 'x-api-key': checkedSecret(MAKER, 'apiKey', 'an API key', apiKey) },
    timeoutMs: checkedTimeout(MAKER, timeoutMs, 5_000),
    traceparent: checkedTraceparent(MAKER, traceparent),
    cache: checkedCache(cache),
    ...{ baseUrl, fetch, name, log: boundedLog, closeLog },
    clock: clock ?? { now: Date.now },
    after: after ?? awaitedAfter,
    random: random ?? secureRandom,
  };
}
