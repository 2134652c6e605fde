/** Limits the running calls of each account. */
import type { IdentityError } from '../../errors.ts';

/** The places of each account. */
export interface Places {
  /** Takes a place; throws if the account has no more. The returned function gives it back. */
  take(account_id: string): () => void;
}

/** Makes `most` places for each account; `tooMany` makes the error of an account that has no more. */
export function createPlaces(most: number, tooMany: () => IdentityError): Places {
  const taken = new Map<string, number>();
  return {
    take(account_id) {
      const count = taken.get(account_id) ?? 0;
      if (count >= most) throw tooMany();
      taken.set(account_id, count + 1);
      return () => {
        const rest = (taken.get(account_id) ?? 0) - 1;
        if (rest > 0) taken.set(account_id, rest);
        else taken.delete(account_id);
      };
    },
  };
}
