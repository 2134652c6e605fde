/** Limits the reads of anonymous callers, so that they take only a small part of the capacity of the storage. */
import { IdentityError } from '../../errors.ts';

/** The maximum number of concurrent anonymous reads. */
const MAX_READS = 16;

/** The limit that all collections share. */
export interface PublicPlaces {
  /** Runs a read; rejects with `overloaded` if too many are under way. */
  take<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** Creates the limit of one service. */
export function createPublicPlaces(): PublicPlaces {
  let taken = 0;
  return {
    async take(read) {
      if (taken >= MAX_READS) throw tooMany();
      taken += 1;
      try {
        return await read();
      } finally {
        taken -= 1;
      }
    },
  };
}

function tooMany(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many readers of documents at this moment.', { details });
}
