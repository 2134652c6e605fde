import type { StoredRecord, StoredValue } from '../../ports/stored.ts';
import type { CollectionName } from '../../ports/stored-records.ts';

type Values = Readonly<Record<string, StoredValue>>;
type Make = (id: string, fields?: Values) => StoredRecord;

const LOG_ID = 'kPrK_qmxVWaYVA9wwBF6Iu';
const HASH = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';

/** Returns the makers of valid records of logs, with these fields in each. */
export function logFixtures(
  common: Pick<StoredRecord, 'account_id' | 'version' | 'created_at'>,
): Readonly<Record<Extract<CollectionName, `log_${string}`>, Make>> {
  return {
    log_heads: (id, fields) => ({
      ...common,
      ...{ id, log_id: LOG_ID, origin: `id.example/api/logs/${LOG_ID}`, size: 3, edge: [HASH, HASH] },
      checkpoint: `id.example/api/logs/${LOG_ID}\n3\n${HASH}\n\n— id.example/api/logs/${LOG_ID} Az3grmlB\n`,
      positions: { '0123456789abcdefgh': [7, 0] },
      ...{ begun_at: common.created_at, appended_at: common.created_at, ended_at: null },
      ...fields,
    }),
    log_entries: (id, fields) => ({
      ...common,
      ...{ id, log_id: LOG_ID, leaf_index: 2, subject: '0123456789abcdefgh.7' },
      entry: '{"account_id":"acc_a","kind":"begin","v":1}',
      expires_at: '2027-01-31T09:00:00.000Z',
      ...fields,
    }),
    log_tiles: (id, fields) => ({ ...common, ...{ id, log_id: LOG_ID, hashes: HASH }, ...fields }),
  };
}
