/** Files the verdicts that local verifiers have decided. */
import { turn } from '../../base/async/turns.ts';
import { fromBase64Url } from '../../base/bytes/base64url.ts';
import { MAX_RECORDS, namedBlock } from '../../blocks/index.ts';
import { invalidRequest } from '../../errors.ts';
import type { FiledVerdicts, VerdictsInput } from '../../records/verifier.ts';
import { checkCopy } from '../../schema/check.ts';
import type { Journal } from '../journal/journal.ts';
import type { KeyCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { sentWriter } from '../shared/sent-writer.ts';
import type { Caches } from '../storage/caches.ts';
import { type CheckedBlock, repack } from './sent-records.ts';

/** The dependencies of the filing. */
export interface SentVerdictParts {
  readonly journal: Pick<Journal, 'fileSent'>;
  /**
   * Counts verifications against the rate of the account, or throws `rate_limited` if it is `beyond` over it already.
   * Returns the function that takes the count back.
   */
  readonly addVerifications: (caller: KeyCaller, count: number, beyond: number) => () => void;
}

/** The agents that are looked up together between two turns of the event loop. */
const PIECE = 20;

/** Makes the filing of one service: a block is stored once for each writer and number, whatever becomes of the answer. */
export function createSentVerdicts(
  { caches, clock, clockWatch, retentionDays }: Context,
  { journal, addVerifications }: SentVerdictParts,
): (given: VerdictsInput, caller: KeyCaller) => Promise<FiledVerdicts> {
  return async (given, caller) => {
    const input = checkCopy<VerdictsInput>('VerifierVerdicts', given);
    await clockWatch.assertRight();
    const { key_id, account_id } = caller;
    const { seq } = input;
    const writer = sentWriter(key_id, input.writer);
    const data = bytesAt('/block', input.block);
    const erasable = input.erasable === undefined ? undefined : bytesAt('/erasable', input.erasable);
    const block = await repack(data, erasable, { caller, now: clock.now(), retentionDays, writer, seq });
    if (typeof block === 'string') throw refused(block);
    await assertVersions(caches, block, account_id);
    const takeBack = addVerifications(caller, block.counted, MAX_RECORDS);
    let isFiled = false;
    try {
      const result = await journal.fileSent({
        block: namedBlock(block.sealed, { writer, seq, account_id }),
        first: block.first,
      });
      isFiled = result === 'filed';
      return { seq, result };
    } finally {
      if (!isFiled) takeBack();
    }
  };
}

function bytesAt(path: string, text: string): Uint8Array {
  const bytes = fromBase64Url(text);
  if (bytes === undefined) throw refused('This must be base64url without padding.', path);
  return bytes;
}

/**
 * Refuses passports of other accounts, and versions that do not exist yet. A passport stays in its account and its
 * version never falls, so that memory of any age is enough where it is not behind; else the storage is read.
 */
async function assertVersions(
  { passports, monotonic }: Pick<Caches, 'passports' | 'monotonic'>,
  { versions }: CheckedBlock,
  account_id: string,
): Promise<void> {
  async function assertOne([id, version]: readonly [string, number]): Promise<void> {
    const held = passports.held(id)?.value;
    const isEnough = held !== undefined && held.version >= version;
    const found = isEnough ? held : (await passports.confirmed(id, monotonic())).value;
    if (found === undefined || found.account_id !== account_id || found.version < version)
      throw refused('A record names a version of a passport that the account does not have.');
  }

  const all = [...versions];
  for (let from = 0; from < all.length; from += PIECE) {
    if (from > 0) await turn();
    await Promise.all(all.slice(from, from + PIECE).map(assertOne));
  }
}

function refused(message: string, path = '/block'): Error {
  return invalidRequest([{ path, code: 'invalid', message }]);
}
