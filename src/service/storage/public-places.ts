/** Reads for strangers, who need no credential: little of the storage is theirs, whatever they ask for. */
import { IdentityError } from '../../errors.ts';

/** Reads of the storage that strangers may have under way at a time. */
const MAX_READS = 16;

/** The places that all collections share. */
export interface PublicPlaces {
  /** The result of the read; `overloaded` while there is no place for it. */
  take<Result>(read: () => Promise<Result>): Promise<Result>;
}

/** The places of one service. */
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
  return new IdentityError('overloaded', 'Too many strangers read documents at this moment.', { details });
}
