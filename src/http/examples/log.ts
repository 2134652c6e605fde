import type { LogResponseName } from '../../schema/log.ts';

const LOG_ID = 'Jx3nO0hYb2dWq7RkTgM1zA';
const ORIGIN = `id.example.com/api/logs/${LOG_ID}`;
const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const CHECKPOINT = `${ORIGIN}\n1\n${ROOT}\n\n— ${ORIGIN} Az3grmlBqd4Gkm==\n`;
const ENTRY = JSON.stringify({
  account_id: 'acc_7Yh2',
  at: '2026-11-20T09:00:00.000Z',
  kind: 'begin',
  salt: '3q2-7wAAAAAAAAAAAAAAAA',
  v: 1,
});
const item = { index: 0, leaf_hash: ROOT, entry: ENTRY };

export const logResponseExamples: Readonly<Record<LogResponseName, unknown>> = {
  Log: {
    log_id: LOG_ID,
    origin: ORIGIN,
    keys: [{ key: `${ORIGIN}+3de0ae69+AfmCXvA/l5u/2Qq8yPjLrNT9`, retired_at: null }],
    size: 1,
    root: ROOT,
    checkpoint: CHECKPOINT,
    pending: 0,
    oldest_pending_at: null,
    retention_days: 90,
    earlier: [],
  },
  LogEntry: item,
  LogEntryPage: { data: [item], has_more: false, next_cursor: null },
  Receipt: {
    kind: 'record',
    entry: ENTRY,
    discloses: 1,
    proof: `c2sp.org/tlog-proof@v1\nindex 0\n\n${CHECKPOINT}`,
  },
  Checkpoint: CHECKPOINT,
  LogTile: 'the bytes of the hashes',
};
