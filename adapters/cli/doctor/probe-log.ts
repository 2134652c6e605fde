import type { StorageAdapter } from '../../../src/index.ts';
import { LOG_STATE } from '../../../src/ports/index.ts';
import { describeFailure, type Finding, fail, ok, warn } from './finding.ts';

/** The time after which a change without its leaf is worth a look. */
const BEHIND_MS = 300_000;
/** The least retention that the EU AI Act asks of automatic records: six months. */
const SIX_MONTHS = 184;
const DEFAULT_DAYS = 90;

/** Examines the logs of the accounts; no findings where they are off. */
export async function probeLog(
  storage: StorageAdapter,
  now: number = Date.now(),
): Promise<readonly Finding[]> {
  try {
    const { at } = JSON.parse((await storage.remember(LOG_STATE)) ?? '{}') as { readonly at?: string };
    if (at === undefined) return [];
    const [late] = await storage.due('events', new Date(now - BEHIND_MS).toISOString(), 1);
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
    ];
  } catch (error) {
    return [fail('log', describeFailure(error), 'See the finding on reading.')];
  }
}
