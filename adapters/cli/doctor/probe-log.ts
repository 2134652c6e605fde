import type { StorageAdapter } from '../../../src/index.ts';
import {
  LOG_STATE,
  type LogEntryRecord,
  MAX_PAGE_SIZE,
  type SharedTextRecord,
  type StoredRecord,
} from '../../../src/ports/index.ts';
import { describeFailure, type Finding, fail, ok, warn } from './finding.ts';

/** The age from which a change without an entry (leaf) in the evidence log gives a warning. */
const BEHIND_MS = 300_000;
/** The minimum retention of automatic records in the EU AI Act, six months in days. */
const SIX_MONTHS = 184;
const DEFAULT_DAYS = 90;

export async function probeLog(
  storage: StorageAdapter,
  now: number = Date.now(),
): Promise<readonly Finding[]> {
  try {
    const { text = '{}' } = ((await storage.get('shared_texts', LOG_STATE)) ??
      {}) as Partial<SharedTextRecord>;
    const { at } = JSON.parse(text) as { readonly at?: string };
    if (at === undefined) return [];
    const [late] = await storage.list('events', {
      where: {},
      order: 'due_at',
      until: new Date(now - BEHIND_MS).toISOString(),
      limit: 1,
    });
    const { durability } = await storage.check();
    const days = Number(process.env['AGENT_IDENTITY_RETENTION_DAYS'] ?? DEFAULT_DAYS);
    return [
      late === undefined
        ? ok('log', `The logs are on since ${at}, and no change waits for its leaf.`)
        : warn(
            'log',
            `A change of ${late.created_at} in the account ${late.account_id} has no leaf yet.`,
            'See that a node runs with --evidence-log, and look for log_damaged and log_append_failed in its log.',
          ),
      ...(durability === 'durable'
        ? []
        : [
            warn(
              'log durability',
              `The storage is ${durability}: leaves may be lost with it.`,
              'Make it durable.',
            ),
          ]),
      ...(days >= SIX_MONTHS
        ? []
        : [
            warn(
              'retention',
              `Records are kept for ${days} days, which is less than six months.`,
              'Set AGENT_IDENTITY_RETENTION_DAYS to 184 or more if you need them as automatic records of the EU AI Act.',
            ),
          ]),
      ...(await subjectFindings(storage)),
    ];
  } catch (error) {
    return [fail('log', describeFailure(error), 'See the finding on reading.')];
  }
}

const MAX_READ = 10_000;
const MAX_NAMED = 10;

/**
 * Finds log entries of approvals that contain a subject. Earlier versions wrote the subject, and `subject erase` cannot
 * remove it from the log.
 */
async function subjectFindings(storage: StorageAdapter): Promise<readonly Finding[]> {
  const records: LogEntryRecord[] = [];
  let recordAfter: StoredRecord | undefined;
  for (let read = 0; read < MAX_READ; read += MAX_PAGE_SIZE) {
    const page = await storage.list('log_entries', {
      where: {},
      limit: MAX_PAGE_SIZE,
      ...(recordAfter && { after: recordAfter }),
    });
    records.push(...(page as readonly LogEntryRecord[]).filter(({ entry }) => hasSubject(entry)));
    recordAfter = page.at(-1);
    if (page.length < MAX_PAGE_SIZE) break;
  }
  const [first] = records;
  if (first === undefined) return [];
  const names = records
    .slice(0, MAX_NAMED)
    .map(({ account_id, leaf_index }) => `${account_id} ${leaf_index}`);
  const suffix = records.length > names.length ? `, and ${records.length - names.length} more` : '';
  const last = records.reduce((latest, { expires_at }) => (expires_at > latest ? expires_at : latest), '');
  return [
    warn(
      'log subjects',
      `Entries of the logs hold the subject of an intent (account, entry): ${names.join(', ')}${suffix}.`,
      `The service removes the last of them after ${last}. Remove the subject from your own copies: exports, and what webhooks and event streams have delivered.`,
    ),
  ];
}

function hasSubject(entry: string): boolean {
  // Most entries have none: the text is only parsed where it may.
  if (!entry.includes('"approval.') || !entry.includes('"subject"')) return false;
  const { event } = JSON.parse(entry) as {
    readonly event?: { readonly data?: { readonly intent?: { readonly subject?: unknown } } };
  };
  return typeof event?.data?.intent?.subject === 'string';
}
