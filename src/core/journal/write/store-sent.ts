/** Stores a block that another process has written. */
import { formatInstant } from '../../../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import { IdentityError } from '../../../errors.ts';
import type { Block } from '../../../ports/journal.ts';
import { type Context, now } from '../../shared/context.ts';
import { unavailable } from '../../storage/storage-guard.ts';

/** A block, and the first of the flush numbers that it uses up. */
export interface SentBlock {
  readonly block: Block;
  readonly first: number;
}

/**
 * Stores the block, unless its writer has already stored `first` or a higher number. Passes a stored block to
 * `onStored`. Registers the writer if it is unknown.
 */
export async function storeSent(
  context: Pick<Context, 'clock' | 'store'>,
  { block, first }: SentBlock,
  onStored: (blocks: readonly Block[]) => void,
): Promise<'filed' | 'known'> {
  const { journal } = context.store;
  const { writer, seq } = block;
  const send = () => journal.file({ writer, seq, first, at: now(context), blocks: [block] });
  let result = await send();
  if (result === 'unknown_writer') {
    await countOpening(context, block.account_id);
    // Another node may open it meanwhile, which is as good.
    await journal.open(writer, now(context));
    result = await send();
  }
  if (result === 'unknown_writer')
    throw unavailable(new Error('The storage knows no writer of the journal.'));
  if (result === 'filed') onStored([block]);
  return result;
}

/** The maximum number of writers that an account registers on a day in UTC. */
const MAX_OPENED = 1_000;

async function countOpening({ clock, store }: Pick<Context, 'clock' | 'store'>, account_id: string) {
  const present = clock.now();
  const start = floorTo('day', present);
  const end = start + RESOLUTION_MS.day;
  const result = await store.write({
    op: 'add',
    counter: `writers:${formatInstant(start)}:${account_id}`,
    by: 1,
    max: MAX_OPENED,
    at: formatInstant(present),
    expires_at: formatInstant(end),
  });
  if (result.written) return;
  const message = `The account has started ${MAX_OPENED} local verifiers today. Start fewer, and keep them running.`;
  const details = { retryAfterSeconds: Math.ceil((end - present) / 1_000) };
  throw new IdentityError('rate_limited', message, { details });
}
