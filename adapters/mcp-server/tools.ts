/** Defines the tools of the MCP server. Each tool calls operations of the API, and takes their scopes and arguments. */
import type { AdminClient } from '../../src/client.ts';
import type { JsonSchema } from '../../src/http/index.ts';
import { IdentityError, type PassportPatch, type VerdictRecord } from '../../src/index.ts';
import type { Given } from './arguments.ts';
import { proposeChange, type TriedIntent, tryChange } from './changes.ts';
import {
  approvalSummary,
  denialSummary,
  keySummary,
  pageWith,
  passportSummary,
  type ShownPage,
} from './records.ts';
import {
  type Arguments,
  bodyOf,
  bodySchema,
  pathOf,
  queryOf,
  type RowName,
  required,
  schemaOf,
} from './rows.ts';

// Lists the agents and API keys that were not used for some days.

const { unused_days, limit, cursor } = queryOf('GET /passports');
if (unused_days === undefined) throw new Error('GET /passports has no unused_days.');

const UNUSED_ARGUMENTS: Arguments = {
  days: required(unused_days.schema),
  ...(limit && { limit }),
  ...(cursor && { cursor }),
};

/**
 * Lists agents that were not used for `days`. The last page also has the API keys, if the management key may read keys.
 */
async function listUnused(admin: AdminClient, { days, ...page }: Given): Promise<ShownPage> {
  const query = { unused_days: Number(days) };
  const foundPage = pageWith(await admin.passports.list({ ...page, ...query }), passportSummary);
  if (foundPage.has_more) return foundPage;
  const keys = await admin.keys.list(query).catch(withoutKeys);
  return { ...foundPage, data: [...foundPage.data, ...(keys?.data.map(keySummary) ?? [])] };
}

function withoutKeys(error: unknown): undefined {
  if (error instanceof IdentityError && error.code === 'insufficient_scope') return undefined;
  throw error;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The operations that the tool calls. A management key needs the scopes of all of them. */
  readonly calls: readonly RowName[];
  readonly known: Arguments;
  readonly isWrite?: boolean;
  run(admin: AdminClient, values: Given): Promise<object>;
}

const MAX_INTENTS = 10;

const PATCH = bodySchema('PATCH /passports/{agent_id}');

/** The fields of an intent that a model may set. */
const TRIED = ['action', 'target', 'parameters', 'subject', 'session', 'usage'];

const INTENTS: JsonSchema = {
  type: 'array',
  maxItems: MAX_INTENTS,
  description: 'Intents of the agent to evaluate by the passport after the patch.',
  items: {
    type: 'object',
    properties: Object.fromEntries(TRIED.map((name) => [name, schemaOf('Intent', name)])),
    required: ['action'],
    additionalProperties: false,
  },
};

/** All tools. No tool can approve, reject, reinstate, revoke or create. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'find_passports',
    description: 'Lists passports, newest first: status, limit, parent agent, end.',
    calls: ['GET /passports'],
    known: queryOf('GET /passports'),
    run: async (admin, query) => pageWith(await admin.passports.list(query), passportSummary),
  },
  {
    name: 'show_passport',
    description: 'Shows everything that one passport says about what its agent may do.',
    calls: ['GET /passports/{agent_id}'],
    known: pathOf('GET /passports/{agent_id}'),
    run: ({ passports }, { agent_id }) => passports.get(String(agent_id)),
  },
  {
    name: 'budgets',
    description: 'Shows what an agent has spent, what it holds, and what is left of each budget.',
    calls: ['GET /passports/{agent_id}/budgets'],
    known: {
      ...pathOf('GET /passports/{agent_id}/budgets'),
      ...queryOf('GET /passports/{agent_id}/budgets'),
    },
    run: ({ passports }, { agent_id, ...query }) => passports.budgets(String(agent_id), query),
  },
  {
    name: 'why_denied',
    description: 'Lists the newest denials of an agent, each with every reason.',
    calls: ['GET /verifications'],
    known: {
      ...queryOf('GET /verifications', ['verdict', 'outcome']),
      agent_id: required(schemaOf('VerdictRecord', 'agent_id')),
    },
    run: async ({ verifications }, query) =>
      pageWith(await verifications.list({ ...query, verdict: 'DENY' }), denialSummary),
  },
  {
    name: 'explain_verdict',
    description: 'Shows one verdict with all that is recorded about it.',
    calls: ['GET /verifications'],
    known: {
      decision_id: required(schemaOf('VerdictRecord', 'decision_id')),
      evaluated_at: required(schemaOf('VerdictRecord', 'evaluated_at')),
    },
    run: (admin, { decision_id, evaluated_at }) => findVerdict(admin, decision_id, String(evaluated_at)),
  },
  {
    name: 'try_change',
    description: `Compares a passport with the passport after a patch, and evaluates up to ${MAX_INTENTS} intents by it. Stores nothing.`,
    calls: ['GET /passports/{agent_id}', 'POST /passports/{agent_id}/try'],
    known: {
      ...pathOf('POST /passports/{agent_id}/try'),
      patch: required(PATCH),
      intents: { schema: INTENTS },
    },
    run: (admin, { agent_id, patch, intents = [] }) =>
      tryChange(admin, String(agent_id), patch as PassportPatch, intents as readonly TriedIntent[]),
  },
  {
    name: 'propose_change',
    description:
      'Changes a passport. A patch that allows less applies at once. A patch that allows more waits until a person approves it; the same call then applies it.',
    calls: ['PATCH /passports/{agent_id}'],
    known: { ...pathOf('PATCH /passports/{agent_id}'), patch: required(PATCH) },
    isWrite: true,
    run: (admin, { agent_id, patch }) => proposeChange(admin, String(agent_id), patch as PassportPatch),
  },
  {
    name: 'suspend_agent',
    description: 'Stops an agent at once: every intent is denied. Only a person ends the suspension.',
    calls: ['POST /suspend'],
    known: bodyOf('POST /suspend', ['agent_id', 'reason', 'until']),
    isWrite: true,
    run: ({ suspend }, input) => suspend({ ...input, agent_id: String(input['agent_id']) }),
  },
  {
    name: 'list_approvals',
    description: 'Lists what waits for people, or waited: action, target, amount, and names of parameters.',
    calls: ['GET /approvals'],
    known: queryOf('GET /approvals'),
    run: async ({ approvals }, query) => pageWith(await approvals.list(query), approvalSummary),
  },
  {
    name: 'usage',
    description: 'Counts verdicts of a time by agent, action and reason; default the last 24 hours.',
    calls: ['GET /analytics'],
    known: queryOf('GET /analytics'),
    run: ({ analytics }, query) => analytics(query),
  },
  {
    name: 'audit',
    description: 'Lists the changes in the account and who made them, newest first.',
    calls: ['GET /audit'],
    known: queryOf('GET /audit'),
    run: async ({ audit }, query) => pageWith(await audit.list(query), (entry) => entry),
  },
  {
    name: 'unused',
    description: 'Lists agents without a verdict for some days, and API keys too if the key may read keys.',
    calls: ['GET /passports'],
    known: UNUSED_ARGUMENTS,
    run: listUnused,
  },
];

const MAX_PAGES = 20;

async function findVerdict(
  { verifications }: Pick<AdminClient, 'verifications'>,
  decisionId: unknown,
  evaluatedAt: string,
): Promise<VerdictRecord> {
  const atMs = Date.parse(evaluatedAt);
  const instant = (ms: number): string => (Number.isNaN(ms) ? evaluatedAt : new Date(ms).toISOString());
  let cursor: string | null | undefined;
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const query = { from: instant(atMs), to: instant(atMs + 1), limit: 100, ...(cursor && { cursor }) };
    const { data, next_cursor } = await verifications.list(query);
    const verdict = data.find(({ decision_id }) => decision_id === decisionId);
    if (verdict !== undefined) return verdict;
    cursor = next_cursor;
  }
  throw new IdentityError('not_found', 'There is no such verdict. Check decision_id and evaluated_at.');
}
