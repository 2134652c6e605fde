/** Limits how many calls run at the same time for each account. */
import type { IdentityError } from '../../errors.ts';

export interface Places {
  take(account_id: string): () => void;
}

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
