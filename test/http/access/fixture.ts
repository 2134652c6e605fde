/** Decision points for AuthZEN's own scenarios, and a check of what they answer. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { AuthzenSubject } from '../../../src/base/authzen.ts';
import { defaultRules, type Facts, type Rule } from '../../../src/verdict/index.ts';
import { type Answer, type Api, type Ask, issue, makeKey } from '../../support/api.ts';
import { openStage, type Stage } from '../../support/malformed.ts';

/** A decision point, asked as gateways ask: with the key as a bearer. */
export interface Point extends Stage {
  readonly key: string;
  readonly key_id: string;
  /** True if something beside the service answers: it has no rate of its own to tell of. */
  readonly isBeside: boolean;
  evaluation(json: unknown, ask?: Ask): Promise<Answer>;
  evaluations(json: unknown, ask?: Ask): Promise<Answer>;
}

/** The API of something that stands between gateways and the service. */
type Beside = (stage: Stage, key: string, options: Parameters<typeof openStage>[0]) => Api;

let beside: Beside | undefined;

/** Lets the decision points that are opened from now on answer by something beside the service; `undefined` ends that. */
export function answerBeside(made: Beside | undefined): void {
  beside = made;
}

/** One that has these passports of the domain `example.com`. */
export async function openPoint(
  passports: readonly object[],
  options: Parameters<typeof openStage>[0] = {},
): Promise<Point> {
  const stage = await openStage({ authzen: { agentDomain: 'example.com' }, ...options });
  for (const passport of passports) await issue(stage.api, stage.token, passport);
  const { key, id } = await makeKey(stage.api, stage.token, { scopes: ['verify', 'decide'] });
  const headers = { authorization: `Bearer ${key}` };
  const api = beside?.(stage, key, options) ?? stage.api;
  const post = async (path: string, json: unknown, ask: Ask) => {
    const answer = await api.ask('POST', path, { headers, json, ...ask });
    checkAnswer(answer);
    return answer;
  };
  return {
    ...stage,
    key,
    key_id: id,
    isBeside: beside !== undefined,
    evaluation: (json, ask = {}) => post('/access/v1/evaluation', json, ask),
    evaluations: (json, ask = {}) => post('/access/v1/evaluations', json, ask),
  };
}

/**
 * The response of the specification (sections 5.5, 6.2 and 7.2) as a schema. The schemas that are published beside it
 * refuse every member of `context`, those of their own examples, too.
 */
const decision = {
  type: 'object',
  required: ['decision'],
  properties: { decision: { type: 'boolean' }, context: { type: 'object' } },
  additionalProperties: false,
} as const;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const isDecision = ajv.compile(decision);
const isDecisions = ajv.compile({
  type: 'object',
  required: ['evaluations'],
  properties: { evaluations: { type: 'array', items: decision } },
  additionalProperties: false,
});

/** Holds an answer against sections 6.2, 7.2 and 10.1: a decision, decisions, or an error with a message. */
function checkAnswer({ status, headers, text, body }: Answer): void {
  expect(headers.get('content-type'), text).toBe('application/json');
  if (status === 200) expect([text, isDecision(body) || isDecisions(body)]).toEqual([text, true]);
  else expect([text, typeof JSON.parse(text)]).toEqual([text, 'string']);
}

/** The decisions of an answer, in their order. */
export function decisionsOf({ status, text, body }: Answer): readonly boolean[] {
  expect(status, text).toBe(200);
  const { evaluations = [body] } = body as { readonly evaluations?: readonly object[] };
  return (evaluations as readonly { readonly decision: boolean }[]).map((one) => one.decision);
}

/** The agent that `openPoint` makes of a plain passport. */
export const SHOPPER = 'did:web:example.com:agents:shopper';
export const SHOP = 'did:web:shop.example';
export const subject: AuthzenSubject = { type: 'agent', id: SHOPPER };
/** An action that moves an amount. */
export const pay = (amount: unknown, currency = 'EUR'): object => ({
  name: 'payments.create',
  properties: { amount, currency },
});
export const shop: { readonly type: string; readonly id: string } = { type: 'counterparty', id: SHOP };

interface Context {
  readonly decision_id: string;
  readonly reasons?: readonly { readonly code: string }[];
}

/** The reasons and the rest of the context of an answer. */
export function contextOf({ body }: Answer): Context {
  return body['context'] as Context;
}

/** The codes of the reasons of an answer. */
export function codesOf(answer: Answer): readonly string[] {
  return (contextOf(answer).reasons ?? []).map(({ code }) => code);
}

/** What a rule sees of an AuthZEN question. */
interface Seen {
  readonly subject: AuthzenSubject & Readonly<Record<string, unknown>>;
  readonly resource: { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A rule that objects to some questions. */
export function objection(code: string, objects: (seen: Seen, action: string) => boolean): Rule {
  return ({ intent, action }: Facts) =>
    objects(intent.parameters as unknown as Seen, action)
      ? { code, message: 'The policy forbids it.' }
      : null;
}

/**
 * The fixture of the certification scenario (its section 3): alice and bob may read, write and delete, and three rules
 * object. That an application can only object is enough for all eight decisions that are mandated.
 */
export function openScenario(options: Parameters<typeof openStage>[0] = {}): Promise<Point> {
  const allowed_actions = ['read', 'write', 'delete'];
  const isAdmin = ({ subject }: Seen): boolean => subject['role'] === 'admin';
  return openPoint(
    ['alice', 'bob'].map((agent_name) => ({ agent_name, allowed_actions })),
    {
      rules: [
        ...defaultRules,
        objection('archived', (seen, action) => {
          return action === 'write' && seen.resource['status'] === 'archived' && !isAdmin(seen);
        }),
        objection('not_admin', (seen, action) => {
          return action === 'write' && seen.subject.id === 'bob' && !isAdmin(seen);
        }),
        objection(
          'not_soft',
          ({ properties }, action) => action === 'delete' && properties?.['soft'] !== true,
        ),
      ],
      ...options,
    },
  );
}
