import type {
  EndedLog,
  LogEntryItem,
  LogOverview,
  LogVerifierKey,
  ReceiptSubject,
  VerdictReceipt,
} from '../records/log.ts';
import { instant } from './fields.ts';
import { answer, type JsonSchema, nullable, page } from './json-schema.ts';

/** The names of the response schemas. */
export type LogResponseName = 'Log' | 'LogEntry' | 'LogEntryPage' | 'Receipt' | 'Checkpoint' | 'LogTile';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const hash: JsonSchema = { type: 'string', description: 'A SHA-256 in base64.' };
const logId: JsonSchema = { type: 'string', pattern: '^[\\w-]{22}$' };
const timeSchema = nullable(instant);

export const logResponses: Readonly<Record<LogResponseName, JsonSchema>> = {
  Log: answer<LogOverview>({
    log_id: logId,
    origin: text,
    keys: {
      type: 'array',
      items: answer<LogVerifierKey>({
        key: { type: 'string', description: '<origin>+<id>+<base64>, as verifiers of signed notes take it.' },
        retired_at: timeSchema,
      }),
    },
    size: count,
    root: hash,
    checkpoint: text,
    pending: count,
    oldest_pending_at: timeSchema,
    retention_days: { type: 'integer', minimum: 1 },
    earlier: {
      type: 'array',
      items: answer<EndedLog>({ log_id: logId, origin: text, size: count, root: hash, ended_at: timeSchema }),
    },
  }),
  LogEntry: answer<LogEntryItem>(
    { index: count, leaf_hash: hash, entry: nullable(text), block: nullable(text) },
    ['block'],
  ),
  LogEntryPage: page('LogEntry'),
  Receipt: answer<VerdictReceipt>(
    {
      kind: { type: 'string', enum: ['record', 'block'] },
      entry: text,
      proof: text,
      block: text,
      place: count,
      subject: answer<ReceiptSubject>({
        salt: {
          type: 'string',
          description: '16 bytes in base64. The block has the SHA-256 of salt and text.',
        },
        text,
      }),
      discloses: { type: 'integer', minimum: 1, description: 'How many verdicts it discloses.' },
    },
    ['block', 'place', 'subject'],
  ),
  Checkpoint: { type: 'string', description: 'A signed note (c2sp.org/tlog-checkpoint).' },
  LogTile: { type: 'string', format: 'binary', description: 'Up to 256 hashes (c2sp.org/tlog-tiles).' },
};
