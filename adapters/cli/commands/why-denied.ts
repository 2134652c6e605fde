import type { RecordedVerdict } from '../../../src/client.ts';
import type { Passport, Reason } from '../../../src/index.ts';
import { limitsBehind } from '../../../src/verdict/index.ts';
import { accountOptions, jsonOption, withBackend } from '../backend/backend.ts';
import type { Backend } from '../backend/methods.ts';
import { firstRecords, type LimitOptions, limitOption } from '../backend/pages.ts';
import { print, printJson, visible } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';
import { AGENT_ID } from './passport-fields.ts';

/**
 * A reason, with the limits of the passport version that gave it. The limits are `null` if that version is not stored.
 */
interface ExplainedReason {
  readonly reason: Reason;
  readonly agent_id: string;
  readonly version: number | null;
  readonly limits: ReturnType<typeof limitsBehind> | null;
}

type Explained = RecordedVerdict & { readonly explained: readonly ExplainedReason[] };

/** The passport version that a verdict has used, of the agent or of one of its ancestors. */
interface Seat {
  readonly agent_id: string;
  readonly version: number;
  readonly passport: Passport | undefined;
}

export const whyDeniedCommand: CliCommand = {
  name: 'why-denied',
  summary: 'explain the newest denials of an agent',
  arguments: AGENT_ID,
  options: [limitOption().default(1), ...accountOptions(), jsonOption()],
  notes: `If a condition or a rule of order caused the denial, the command shows this rule. It reads the rule from the version
of the passport that caused the denial. A rule of order says which other actions must come before an action, or must
not. The command cannot show the value in the intent that broke the rule, because the service does not store this
value.`,
  examples: [
    'agent-identity why-denied did:web:example.com:agents:mailer',
    'agent-identity why-denied did:web:example.com:agents:mailer --limit 5 --json',
  ],
  run({ agent_id }, options: LimitOptions & { readonly json?: boolean }, command) {
    return withBackend(command, async (backend) => {
      const filter = { agent_id: `${agent_id}`, verdict: 'DENY' as const };
      const page = await firstRecords((part) => backend.verifications.list({ ...filter, ...part }), options);
      const data: Explained[] = [];
      for (const record of page.data) data.push(await explain(backend, record));
      if (options.json) printJson({ ...page, data });
      else print(data.length === 0 ? 'No denial of this agent is recorded.' : data.map(textOf).join('\n\n'));
    });
  },
};

async function explain(backend: Backend, record: RecordedVerdict): Promise<Explained> {
  const seats = record.reasons.some(hasLimits) ? await seatsOf(backend, record) : [];
  const explainedReasons = record.reasons.map((reason): ExplainedReason => {
    const agent_id = `${reason['parent'] ?? reason['agent_id'] ?? record.agent_id}`;
    const seat = seats.find((seat) => seat.agent_id === agent_id);
    const limits = seat?.passport && limitsBehind(reason, record.action, seat.passport);
    return { reason, agent_id, version: seat?.version ?? null, limits: limits ?? null };
  });
  return { ...record, explained: explainedReasons };
}

function hasLimits({ at, order }: Reason): boolean {
  return at !== undefined || order !== undefined;
}

async function seatsOf({ passports }: Backend, record: RecordedVerdict): Promise<readonly Seat[]> {
  const seats: Seat[] = [];
  let agentId: string | undefined = record.agent_id;
  for (const version of [record.passport_version, ...(record.ancestor_versions ?? [])]) {
    if (agentId === undefined || version === null) break;
    let passport: Passport | undefined;
    for await (const page of passports.versions(agentId, { limit: 100 })) {
      passport = page.data.find((entry) => entry.version === version);
      if (passport !== undefined) break;
    }
    seats.push({ agent_id: agentId, version, passport });
    agentId = passport?.parent_agent_id;
  }
  return seats;
}

function textOf({ evaluated_at, action, target, decision_id, explained }: Explained): string {
  const head = `${evaluated_at}  DENY  ${action}${target ? `  ${target}` : ''}  ${decision_id}`;
  return [visible(head), ...explained.flatMap(linesOf)].join('\n');
}

function linesOf({ reason, agent_id, version, limits }: ExplainedReason): readonly string[] {
  const { code, message, ...facts } = reason;
  const saidTexts = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  const rules = [
    ...(limits?.conditions ?? []).map((rule) => `condition ${JSON.stringify(rule)}`),
    ...(limits?.order ?? []).map((rule) => `order ${JSON.stringify(rule)}`),
  ];
  return [
    visible(`  ${code}: ${message}${saidTexts.length > 0 ? ` (${saidTexts.join(', ')})` : ''}`),
    ...rules.map((rule) => visible(`    version ${version} of ${agent_id}: ${rule}`)),
    ...(hasLimits(reason) && limits === null
      ? ['    That version of the passport is no longer stored.']
      : []),
  ];
}
