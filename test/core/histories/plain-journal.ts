/** What `/verifications` and `/analytics` have to answer, as plain lists that are looked through from end to end. */
import type { Environment, VerdictRecord } from '../../../src/records.ts';

/** A verdict as it was answered, and the account under which it is filed. */
export interface Answered {
  readonly account_id: string;
  readonly record: VerdictRecord;
}

/** Verdicts that were answered and then refused by the storage. */
export interface PlainJournal {
  readonly kept: Answered[];
  readonly dropped: Answered[];
}

/** What to look for. */
export interface Wanted {
  readonly agent_id?: string;
  readonly verdict?: 'ALLOW' | 'DENY';
  readonly reason?: string;
  readonly environment?: Environment;
  readonly from?: string;
  readonly to?: string;
}

/** The records of an account that fit, newest first. */
export function plainList({ kept }: PlainJournal, account_id: string, wanted: Wanted): VerdictRecord[] {
  return kept
    .filter((answered) => answered.account_id === account_id)
    .map(({ record }) => record)
    .filter(
      (record) =>
        (wanted.agent_id === undefined || record.agent_id === wanted.agent_id) &&
        (wanted.verdict === undefined || record.verdict === wanted.verdict) &&
        (wanted.reason === undefined || record.reasons.some(({ code }) => code === wanted.reason)) &&
        (wanted.environment === undefined || record.environment === wanted.environment) &&
        (wanted.from === undefined || record.evaluated_at >= wanted.from) &&
        (wanted.to === undefined || record.evaluated_at < wanted.to),
    )
    .sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
}

function sortKey({ evaluated_at, decision_id }: VerdictRecord): string {
  return `${evaluated_at} ${decision_id}`;
}

/** The minute in which something happened, as an instant. */
export function minuteOf(at: string): string {
  return `${at.slice(0, 16)}:00.000Z`;
}

/** What is counted of an account and environment in whole minutes. */
export interface PlainCounts {
  readonly allowed: number;
  readonly denied: number;
  /** Allowed and denied by the start of the hour; hours without either are missing. */
  readonly hours: ReadonlyMap<string, readonly [allowed: number, denied: number]>;
  readonly agents: ReadonlyMap<string, number>;
  readonly actions: ReadonlyMap<string, number>;
  readonly reasons: ReadonlyMap<string, number>;
}

/** The counts of [`from`, `to`), of one agent or of all. */
export function plainCounts(
  { kept }: PlainJournal,
  account_id: string,
  { agent_id, environment, from, to }: Required<Pick<Wanted, 'environment' | 'from' | 'to'>> & Wanted,
): PlainCounts {
  const hours = new Map<string, [number, number]>();
  const [agents, actions, reasons] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  let [allowed, denied] = [0, 0];
  for (const { record, ...answered } of kept) {
    const minute = minuteOf(record.evaluated_at);
    if (answered.account_id !== account_id || record.environment !== environment || record.dry_run) continue;
    if (minute < from || minute >= to) continue;
    const isKnown = record.passport_version !== null;
    if (agent_id !== undefined && !(isKnown && record.agent_id === agent_id)) continue;
    const hour = `${minute.slice(0, 13)}:00:00.000Z`;
    const [before, after] = hours.get(hour) ?? [0, 0];
    const isAllowed = record.verdict === 'ALLOW';
    hours.set(hour, isAllowed ? [before + 1, after] : [before, after + 1]);
    if (isAllowed) allowed += 1;
    else denied += 1;
    addOne(agents, isKnown ? record.agent_id : 'other');
    addOne(actions, record.action);
    for (const { code } of record.reasons) addOne(reasons, code);
  }
  return { allowed, denied, hours, agents, actions, reasons };
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The first ten by their counts, then by name. */
export function plainTop(counts: ReadonlyMap<string, number>): { key: string; count: number }[] {
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, 10);
}
