import type {
  AccountOverview,
  Analytics,
  ApiKey,
  Approval,
  Page,
  Passport,
  VerdictRecord,
} from '../../../../../src/types.ts';
import { call, queryOf } from '../../state/api.ts';

export interface Shot {
  /** The analytics; `undefined` if the service has none. */
  readonly analytics: Analytics | undefined;
  readonly account: AccountOverview;
  readonly approvals: Page<Approval>;
  readonly denials: readonly VerdictRecord[];
  readonly idleKeys: readonly ApiKey[];
  readonly first: {
    readonly passport: Passport | undefined;
    readonly hasKey: boolean;
    readonly hasVerdict: boolean;
  };
}

const IDLE_MS = 30 * 86_400_000;

/** Loads the data. If a part fails, the whole fails, so that no number appears without the others. */
export async function loadShot(signal: AbortSignal): Promise<Shot> {
  const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const [analytics, account, approvals, deniedPage, anyPage, passports, keys] = await Promise.all([
    call<Analytics>('GET', `/analytics${queryOf({ from: midnight })}`, { signal }).catch(absent),
    call<AccountOverview>('GET', '/account', { signal }),
    call<Page<Approval>>('GET', '/approvals?status=pending&limit=100', { signal }),
    call<Page<VerdictRecord>>('GET', '/verifications?verdict=DENY&dry_run=false&limit=5', { signal }),
    call<Page<VerdictRecord>>('GET', '/verifications?limit=1', { signal }),
    call<Page<Passport>>('GET', '/passports?status=active&limit=1', { signal }),
    allKeys(signal),
  ]);
  return {
    analytics,
    account,
    approvals,
    denials: deniedPage.data,
    idleKeys: keys.filter((key) => isWorking(key) && lastUse(key) < Date.now() - IDLE_MS),
    first: { passport: passports.data[0], hasKey: keys.some(isWorking), hasVerdict: anyPage.data.length > 0 },
  };
}

/**
 * Returns `undefined` if the error is a 404, because the service does not have the part. Otherwise throws the error.
 */
function absent(error: unknown): undefined {
  if (Object(error).status !== 404) throw error;
}

async function allKeys(signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<ApiKey> = await call('GET', `/keys${queryOf({ limit: 100, cursor })}`, { signal });
    keys.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return keys;
}

function isWorking({ status }: ApiKey): boolean {
  return status === 'active' || status === 'rotating';
}

function lastUse({ last_used_at, created_at }: ApiKey): number {
  return Date.parse(last_used_at ?? created_at);
}
