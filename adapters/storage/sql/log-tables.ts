import type { StoredRecords } from '../../../src/ports/index.ts';
import { type ColumnsOf, common } from './columns.ts';

/** The tables of logs. */
export const logTables: {
  readonly [Name in 'log_heads' | 'log_entries' | 'log_tiles']: {
    readonly name: string;
    readonly columns: ColumnsOf<StoredRecords[Name]>;
  };
} = {
  log_heads: {
    name: 'ais_log_heads',
    columns: {
      ...common,
      log_id: 'text',
      origin: 'text',
      size: 'integer',
      edge: 'json',
      checkpoint: 'text',
      positions: 'json',
      begun_at: 'text',
      appended_at: 'text',
      ended_at: 'text|null',
    },
  },
  log_entries: {
    name: 'ais_log_entries',
    columns: {
      ...common,
      log_id: 'text',
      leaf_index: 'integer',
      subject: 'text',
      entry: 'text',
      expires_at: 'text',
    },
  },
  log_tiles: {
    name: 'ais_log_tiles',
    columns: { ...common, log_id: 'text', hashes: 'text' },
  },
};
