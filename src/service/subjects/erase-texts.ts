/** Erases the text of a subject in the blocks of an account. */
import { turn } from '../../base/async/turns.ts';
import { eraseSubject, filterHashes } from '../../blocks/index.ts';
import {
  type Block,
  type BlockHeader,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../../ports/journal.ts';
import { createBlockReader } from '../journal/damage.ts';
import type { Context } from '../shared/context.ts';

/** The subject of an account. */
export interface SubjectOfAccount {
  readonly account_id: string;
  readonly subject: string;
}

/** The progress of one call. */
export interface TextsErased {
  /** The number of records that no longer have the subject. */
  readonly erased: number;
  /** True if some blocks may still have it. */
  readonly has_more: boolean;
}

/** The most blocks that one call changes. */
const MAX_CHANGED = 256;

/**
 * Erases the text in the newest blocks that have it. Blocks that were compacted or changed meanwhile are left for the
 * next call.
 */
export async function eraseTexts(
  { store, log }: Pick<Context, 'store' | 'log'>,
  { account_id, subject }: SubjectOfAccount,
): Promise<TextsErased> {
  const { journal } = store;
  const readBlock = createBlockReader(log);
  const { headers, isWhole } = await listAtOnce(journal, { account_id, subject });
  let [erased, changed, has_more] = [0, 0, !isWhole];

  async function eraseIn(block: Block): Promise<void> {
    // A damaged block has no readable subject; it is reported and removed with its retention.
    const found = readBlock(block, () => eraseSubject(block, subject));
    if (found === undefined) return;
    changed += 1;
    if (await journal.eraseTexts(block, block.erased, found.erasable)) erased += found.records;
    else has_more = true;
  }

  for (let at = 0; at < headers.length; at += MAX_LOADED_BLOCKS) {
    for (const block of await journal.load(headers.slice(at, at + MAX_LOADED_BLOCKS))) {
      if (changed === MAX_CHANGED) return { erased, has_more: true };
      // A block that is gone may be in another one now.
      if (block === undefined) has_more = true;
      else await eraseIn(block);
    }
    await turn();
  }
  return { erased, has_more };
}

/**
 * Lists the headers of all blocks that may have the subject, newest first. `isWhole` is false if the list has changed
 * while its pages were read, because a compaction may have moved a block from one page to another.
 */
async function listAtOnce(
  journal: JournalStorage,
  of: SubjectOfAccount,
): Promise<{ readonly headers: readonly BlockHeader[]; readonly isWhole: boolean }> {
  const headers = await listAll(journal, of);
  if (headers.length < MAX_LISTED_BLOCKS) return { headers, isWhole: true };
  const again = await listAll(journal, of);
  return { headers: again, isWhole: JSON.stringify(headers) === JSON.stringify(again) };
}

async function listAll(
  journal: JournalStorage,
  { account_id, subject }: SubjectOfAccount,
): Promise<readonly BlockHeader[]> {
  const query = { account_id, names: [filterHashes('subject', subject)], limit: MAX_LISTED_BLOCKS };
  const headers: BlockHeader[] = [];
  for (;;) {
    const after = headers.at(-1);
    const page = await journal.blocks({ ...query, ...(after && { after }) });
    headers.push(...page);
    if (page.length < MAX_LISTED_BLOCKS) return headers;
  }
}
