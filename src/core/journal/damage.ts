/** Skips blocks that cannot be decoded, and logs each of them once. */

import { describeCause } from '../../errors.ts';
import { isBlockError } from '../../journal-format/index.ts';
import type { BlockHeader } from '../../ports/journal.ts';
import type { Logger } from '../../ports/storage.ts';

/** Returns the result of `read`. If the block cannot be decoded, logs that and returns `undefined`. */
export type ReadBlock = <Result>(header: BlockHeader, read: () => Result) => Result | undefined;

const MAX_NAMED = 1_000;

/** Creates a reader of blocks that reports damage to `log`. */
export function createBlockReader(log: Logger): ReadBlock {
  const namedSubjects = new Set<string>();

  function report({ writer, seq, account_id, records }: BlockHeader, cause: unknown): void {
    const name = JSON.stringify([writer, seq, account_id]);
    if (namedSubjects.has(name) || namedSubjects.size >= MAX_NAMED) return;
    namedSubjects.add(name);
    const block = `${writer}.${seq} of ${account_id}, with ${records} records`;
    const message = `A block of the journal cannot be read and is left out: ${block}. See the cause: upgrade this node for a newer version, otherwise restore a back-up.`;
    const facts = {
      writer,
      seq,
      account_id,
      records,
      damaged: namedSubjects.size,
      cause: describeCause(cause),
    };
    log({ level: 'error', event: 'journal_block_damaged', message, ...facts });
  }

  return (header, read) => {
    try {
      return read();
    } catch (error) {
      if (!isBlockError(error)) throw error;
      report(header, error);
      return undefined;
    }
  };
}

/** Creates a function that logs, once for each block, that the subjects of the block cannot be read. */
export function createSubjectReport(log: Logger): (header: BlockHeader) => void {
  const namedSubjects = new Set<string>();
  return ({ writer, seq, account_id, records }) => {
    const name = JSON.stringify([writer, seq, account_id]);
    if (namedSubjects.has(name) || namedSubjects.size >= MAX_NAMED) return;
    namedSubjects.add(name);
    const block = `${writer}.${seq} of ${account_id}, with ${records} records`;
    const message = `The subjects of a block of the journal cannot be read and are shown as null: ${block}.`;
    log({ level: 'error', event: 'journal_subjects_lost', message, writer, seq, account_id, records });
  };
}
