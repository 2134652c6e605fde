import { knownOptions, misconfigured, type OptionNames } from '../base/known-options.ts';
import { isVerifierName, VERIFIER_NAME } from '../base/values/time-buckets.ts';
import { checkedApiKey, checkedBaseUrl } from '../client/address.ts';
import { checkedTraceparent, type TraceparentSource } from '../client/trace-header.ts';
import { checkedTimeout } from '../client/transport.ts';
import type { IdentityClientOptions } from '../client.ts';
import type { CacheLimits } from '../core/options.ts';
import { checkedCache } from '../core/setup/open-context.ts';
import { boundLog } from '../core/shared/bounded-log.ts';
import { awaitedAfter, systemAfter } from '../core/shared/timers.ts';
import { secureRandom } from '../platform/index.ts';
import type { After, Clock, Logger, RandomSource } from '../ports/host.ts';

/** The options of `createLocalVerifier`. */
export interface LocalVerifierOptions extends Omit<IdentityClientOptions, 'agentKey'> {
  /** The name of this verifier in verdict records: `[a-z0-9][a-z0-9._-]{0,62}`. Default: `local`. */
  readonly name?: string;
  /**
   * The maximum number of cached passports (default 100,000), and their approximate maximum size in bytes (default 64
   * MiB).
   */
  readonly cache?: Partial<CacheLimits>;
  /** Receives log events. Default: none. */
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

const CACHE: OptionNames<CacheLimits> = { maxEntries: true, maxBytes: true };

export const LOCAL_OPTIONS: OptionNames<LocalVerifierOptions> = {
  baseUrl: true,
  apiKey: true,
  timeoutMs: true,
  traceparent: true,
  fetch: true,
  name: true,
  cache: true,
  log: true,
  clock: true,
  after: true,
  random: true,
};

/**
 * Checks the options of the function `maker`, which have these names.
 *
 * @throws {IdentityError} `invalid_configuration` if they are wrong.
 */
export function checkedOptions<Options extends LocalVerifierOptions>(
  options: Options,
  maker: string,
  names: OptionNames<Options>,
): VerifierSettings {
  const givenOptions = knownOptions(maker, options, names);
  const { name = 'local', cache = {}, log = () => {}, after } = givenOptions;
  const { clock = { now: Date.now }, random = secureRandom } = givenOptions;
  if (typeof name !== 'string' || !isVerifierName(name))
    throw misconfigured(maker, `name is not a name of ${VERIFIER_NAME}`);
  knownOptions<object>(maker, cache, CACHE, 'cache.');
  for (const [option, value] of Object.entries({ log, after, fetch: givenOptions.fetch })) {
    if (value !== undefined && typeof value !== 'function')
      throw misconfigured(maker, `${option} is not a function`);
  }
  if (typeof Object(clock).now !== 'function') throw misconfigured(maker, 'clock is not a clock');
  if (typeof Object(random).bytes !== 'function') throw misconfigured(maker, 'random is not a random source');
  const { apiKey, timeoutMs, traceparent, fetch = globalThis.fetch } = givenOptions;
  const baseUrl = checkedBaseUrl(maker, givenOptions.baseUrl);
  const { log: boundedLog, close: closeLog } = boundLog(log, after ?? systemAfter);
  return {
    client: {
      baseUrl,
      apiKey,
      fetch,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(traceparent !== undefined && { traceparent }),
    },
    headers: { 'x-api-key': checkedApiKey(maker, apiKey) },
    timeoutMs: checkedTimeout(maker, timeoutMs, 5_000),
    traceparent: checkedTraceparent(maker, traceparent),
    cache: checkedCache(cache),
    baseUrl,
    fetch,
    name,
    log: boundedLog,
    closeLog,
    clock,
    after: after ?? awaitedAfter,
    random,
  };
}
