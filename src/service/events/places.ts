/** Limits the open streams of each account. */
import { IdentityError } from '../../errors.ts';

/** The open streams of each account. */
export interface Places {
  /** Takes a place; throws `rate_limited` if the account has no more. The returned function gives it back. */
  take(account_id: string): () => void;
}

const MAX_STREAMS = 5;
const RETRY_SECONDS = 10;

/** Makes five places for each account. */
export function createPlaces(): Places {
  const taken = new Map<string, number>();
  return {
    take(account_id) {
      const count = taken.get(account_id) ?? 0;
      if (count >= MAX_STREAMS) throw tooMany();
      taken.set(account_id, count + 1);
      return () => {
        const rest = (taken.get(account_id) ?? 0) - 1;
        if (rest > 0) taken.set(account_id, rest);
        else taken.delete(account_id);
      };
    },
  };
}

function tooMany(): IdentityError {
  return new IdentityError('rate_limited', `An account may have ${MAX_STREAMS} event streams at a time.`, {
    details: { retryAfterSeconds: RETRY_SECONDS },
  });
}
