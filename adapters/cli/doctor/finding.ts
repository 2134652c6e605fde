import { IdentityError, type StorageAdapter } from '../../../src/index.ts';
import { LOG_STATE, type SharedTextRecord } from '../../../src/ports/index.ts';

/**
 * The status of a finding. `warn` means that the part works but should be checked. `fail` means that the part does not
 * work or will fail later.
 */
export type Status = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly detail: string;
  readonly action?: string;
}

export function worstOf(findings: readonly Finding[]): Status {
  const has = (wantedStatus: Status) => findings.some(({ status }) => status === wantedStatus);
  return has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok';
}

export function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

export function warn(check: string, detail: string, action: string): Finding {
  return { check, status: 'warn', detail, action };
}

export function fail(check: string, detail: string, action: string): Finding {
  return { check, status: 'fail', detail, action };
}

/** Returns the message of an error, without the credentials of a URL in it. */
export function describeFailure(error: unknown): string {
  return textOf(error)
    .replaceAll(/\/\/[^/@\s]*@/g, '//***@')
    .replaceAll(/\s*\n\s*/g, ' ');
}

function textOf(error: unknown): string {
  if (error instanceof IdentityError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'It failed.';
}

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
    ];
  } catch (error) {
    return [fail('log', describeFailure(error), 'See the finding on reading.')];
  }
}
