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

/** The data of the overview. */
export interface Shot {
  /** `undefined` if the service has no analytics. */
  readonly analytics: Analytics | undefined;
  readonly account: AccountOverview;
  /** The first page of the pending approvals. */
  readonly approvals: Page<Approval>;
  readonly denials: readonly VerdictRecord[];
  /** Active keys that have not been used for long. */
  readonly idleKeys: readonly ApiKey[];
  /** The progress of the first steps. */
  readonly first: {
    readonly passport: Passport | undefined;
    readonly hasKey: boolean;
    readonly hasVerdict: boolean;
  };
}

const IDLE_MS = 30 * 86_400_000;

/** Loads the data. A part that fails fails the whole, so that no number is shown without the others. */
export async function loadShot(signal: AbortSignal): Promise<Shot> {
  const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const [analytics, account, approvals, denied, any, passports, keys] = await Promise.all([
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
    denials: denied.data,
    idleKeys: keys.filter((key) => isWorking(key) && lastUse(key) < Date.now() - IDLE_MS),
    first: { passport: passports.data[0], hasKey: keys.some(isWorking), hasVerdict: any.data.length > 0 },
  };
}

/** Returns `undefined` for a part that the service does not have: an application answers 404 in its own words. */
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
