/** How many streams of an account are open. */
import { IdentityError } from '../../errors.ts';

/** The streams that each account has. */
export interface Places {
  /** Takes one; `rate_limited` where the account may have no more. The function gives it back. */
  take(account_id: string): () => void;
}

const MAX_STREAMS = 5;
const RETRY_SECONDS = 10;

/** Five places for each account. */
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
