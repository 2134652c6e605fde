/** Limits how many calls run at the same time for each account. */
import type { IdentityError } from '../../errors.ts';

export interface Places {
  take(account_id: string): () => void;
}

export function createPlaces(limit: number, tooMany: () => IdentityError): Places {
  const takenCounts = new Map<string, number>();
  return {
    take(account_id) {
      const count = takenCounts.get(account_id) ?? 0;
      if (count >= limit) throw tooMany();
      takenCounts.set(account_id, count + 1);
      return () => {
        const remainder = (takenCounts.get(account_id) ?? 0) - 1;
        if (remainder > 0) takenCounts.set(account_id, remainder);
        else takenCounts.delete(account_id);
      };
    },
  };
}
