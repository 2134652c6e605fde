/** Checks the proofs of domains again each day. */
import { formatInstant } from '../../base/values/instant.ts';
import { describeCause } from '../../errors.ts';
import type { DomainProver } from '../../ports/domain-prover.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { replace } from '../storage/store.ts';
import type { DomainRecord } from './collections.ts';
import { lookFor, methodIn } from './look.ts';
import { isOwner, isProven } from './record.ts';

/** Checks proofs at regular intervals until it is stopped. */
export interface DomainWatch {
  /** Checks every domain that is due, and returns their number. */
  run(): Promise<number>;
  stop(): void;
}

const EVERY_MS = 60 * 60_000;
const DUE_MS = 24 * 60 * 60_000;
/**
 * The number of checks in a row without the token, and the least time between the first and the last, after which a
 * proof lapses.
 */
const FAILURES = 3;
const LAPSE_MS = 72 * 60 * 60_000;

/** Starts the timer, if there is a prover. */
export function startDomainWatch(context: Context): DomainWatch {
  const { domainProver, store } = context;
  let isStopped = false;
  let cancel = (): void => {};

  async function run(): Promise<number> {
    if (domainProver === undefined) return 0;
    let looked = 0;
    for await (const record of everyRecord(recordsBy(store, 'domains', {}), MAX_PAGE_SIZE)) {
      if (isStopped) return looked;
      if (!isOwner(record) || !isProven(record) || !isDue(record, context.clock.now())) continue;
      await lookAgain(context, domainProver, record);
      looked += 1;
    }
    return looked;
  }

  function wait(): void {
    cancel = context.after(EVERY_MS, async () => {
      try {
        await run();
      } catch (error) {
        const message = 'The proofs of domains could not be checked.';
        context.log({ level: 'error', event: 'domain_watch_failed', message, cause: describeCause(error) });
      }
      if (!isStopped) wait();
    });
  }

  if (domainProver !== undefined) wait();
  return {
    run,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function isDue({ checked_at }: DomainRecord, now: number): boolean {
  return checked_at === undefined || now - Date.parse(checked_at) >= DUE_MS;
}

/** Checks one proof again. Another node may do so at the same time: the first write counts. */
async function lookAgain(context: Context, prover: DomainProver, record: DomainRecord): Promise<void> {
  const { token, id: domain, account_id } = record;
  if (token === undefined) return;
  const method = methodIn(await lookFor(prover, domain, token));
  const now = context.clock.now();
  const failures = method === undefined ? (record.failures ?? 0) + 1 : 0;
  const isLapsed = failures >= FAILURES && now - Date.parse(record.seen_at ?? record.created_at) >= LAPSE_MS;
  const status = method !== undefined ? 'proven' : isLapsed ? 'lapsed' : record.status;
  const next: DomainRecord = {
    ...record,
    version: record.version + 1,
    checked_at: formatInstant(now),
    failures,
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method, seen_at: formatInstant(now) }),
  };
  const { written } = await context.store.write(replace('domains', next, record.version));
  if (!written || status === record.status) return;
  logSecurityEvent(context, status === 'lapsed' ? 'domain.lapsed' : 'domain.proven', { domain, account_id });
}
