/** Formats verdict records as CSV (RFC 4180). No cell can act as a formula in a spreadsheet. */
import { instantSpeller } from '../../base/values/instant.ts';
import { type BlockView, type NameColumn, subjectAt } from '../../journal-format/index.ts';
import type { RecordedOutcome } from '../../records/outcome.ts';
import type { VerdictRecord } from '../../records.ts';

const COLUMNS = [
  'decision_id',
  'evaluated_at',
  'verdict',
  'reasons',
  'agent_id',
  'action',
  'target',
  'amount',
  'currency',
  'passport_version',
  'environment',
  'key_id',
  'dry_run',
  'request_id',
  'proof_kid',
  'ancestor_versions',
  'trace_id',
  'subject',
  'approval_id',
  'hold_seconds',
] satisfies readonly (keyof VerdictRecord)[];

export const CSV_HEADER: string = `${COLUMNS.join(',')},outcome,outcome_code,outcome_reported_at,verifier,permit_audience,usage\r\n`;

export interface CsvCells {
  readonly first: string;
  readonly last: string;
}

/**
 * Creates a function that formats a record of a block as CSV cells. Each name is escaped once. The cells `reasons` and
 * `ancestor_versions` have the codes and the versions, separated by spaces.
 */
export function csvSpeller(view: BlockView): (place: number) => CsvCells {
  const { times, agents, actions, targets, contexts, reasons, versions, amounts } = view;
  const { requests, proofs, ancestors, traces, subjects, approvals, holds, verifiers, permits, usages } =
    view;
  const spellInstant = instantSpeller();
  const nameOf = ({ numbers, texts }: NameColumn): ((place: number) => string) => {
    const cells = texts.map(cell);
    return (place) => cells[numbers[place] as number] as string;
  };
  const agentOf = nameOf(agents);
  const actionOf = nameOf(actions);
  const targetOf = nameOf(targets);
  const denials = reasons.shapes.map(({ codes }) => {
    return codes.length === 0 ? 'ALLOW,' : `DENY,${cell(codes.join(' '))}`;
  });
  const askers = contexts.values.map(({ environment, dry_run, currency, key_id }) => ({
    currency: cell(currency ?? ''),
    rest: `${environment},${cell(key_id ?? '')},${dry_run}`,
  }));
  return (place) => {
    const { currency, rest } = askers[contexts.numbers[place] as number] as (typeof askers)[number];
    const version = versions[place] as number;
    const request = requests[place];
    const first = `${view.decisionId(place)},${spellInstant(times[place] as number)}`;
    const names = `${agentOf(place)},${actionOf(place)},${targetOf(place)}`;
    const denial = denials[reasons.numbers[place] as number] as string;
    const askedText = `${amounts.at(place) ?? ''},${currency},${version === 0 ? '' : version - 1},${rest}`;
    const proof = proofs[place];
    const aboveText = ancestors[place]?.replaceAll(/[[\],]+/g, ' ').trim() ?? '';
    const provedText = `${request ? cell(request) : ''},${proof ? cell(proof) : ''}`;
    const asker = cell(subjectAt(subjects, place) ?? '');
    const heldText = `${cell(approvals[place] ?? '')},${holds[place] ?? ''}`;
    const end = `${provedText},${aboveText},${traces[place] ?? ''},${asker},${heldText}`;
    const last = `${cell(verifiers[place] ?? '')},${cell(permits[place] ?? '')},${usages[place] ?? ''}`;
    return { first: `${first},${denial},${names},${askedText},${end}`, last };
  };
}

export function csvLine({ first, last }: CsvCells, outcome: RecordedOutcome | null): string {
  if (outcome === null) return `${first},,,,${last}\r\n`;
  return `${first},${outcome.outcome},${outcome.code ?? ''},${outcome.reported_at},${last}\r\n`;
}

/** Escapes a cell. A text that begins like a formula gets a leading apostrophe. A text with a separator is quoted. */
export function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
