/** The keys of issuers, kept for a while. */
import { createFetchBytes } from './fetch-bytes.ts';
import { type IssuerKeys, resolveKeys } from './issuer-keys.ts';

/** Returns the keys of an issuer for a token that names one of them; `now` is in milliseconds since the epoch. */
export type KeptKeys = (issuer: string, thumbprint: string, now: number) => Promise<IssuerKeys>;

/** The keys are fetched again from this age on. */
const KEPT_MS = 300_000;

/** A key that is unknown may be new, but anyone can name one: the least time between two fetches. */
const UNKNOWN_MS = 10_000;

interface Kept {
  readonly keys: IssuerKeys;
  /** The instant of the last fetch, or of the last try that found an unknown key. */
  readonly triedAt: number;
  /** The instant from which the keys are. */
  readonly readAt: number;
}

/** Keeps the keys of each issuer for 300 s. Rejects with `unresolved` where keys that are younger cannot be read. */
export function keepKeys(
  fetch: typeof globalThis.fetch | undefined,
  resolve: typeof resolveKeys = resolveKeys,
): KeptKeys {
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<IssuerKeys>>();

  /** Reads the keys once for all who wait for them. */
  function read(issuer: string, now: number): Promise<IssuerKeys> {
    const known = reading.get(issuer);
    if (known !== undefined) return known;
    const answer = resolve(issuer, createFetchBytes(issuer, fetch))
      .then((keys) => {
        kept.set(issuer, { keys, triedAt: now, readAt: now });
        return keys;
      })
      .finally(() => reading.delete(issuer));
    reading.set(issuer, answer);
    return answer;
  }

  return async (issuer, thumbprint, now) => {
    const known = kept.get(issuer);
    if (known === undefined || !isWithin(known.readAt, now, KEPT_MS)) return read(issuer, now);
    if (known.keys.has(thumbprint)) return known.keys;
    if (!reading.has(issuer) && isWithin(known.triedAt, now, UNKNOWN_MS)) return known.keys;
    kept.set(issuer, { ...known, triedAt: now });
    // The keys that are known stay good for the tokens of others.
    return read(issuer, now).catch(() => known.keys);
  };
}

/** Says whether `now` is less than `ms` after `from`. Not when the clock was set back, which makes no keys younger. */
function isWithin(from: number, now: number, ms: number): boolean {
  return now >= from && now - from < ms;
}
