import type { Reason, ReasonCode } from '../../../../src/index.ts';
import { unreadPart } from '../../../../src/verdict/index.ts';
import { timeText } from './time.ts';
import { money } from './words.ts';

type Advice = (facts: Reason, currency: string | null) => string;

const ADVICE: Readonly<Record<ReasonCode, Advice>> = {
  agent_not_found: () => 'Your account has no passport of this agent_id. Issue one, or check the spelling.',
  agent_revoked: ({ since }) =>
    `The passport was revoked${at(since)}. That is permanent. Issue a new passport.`,
  agent_suspended: ({ until }) =>
    until === null
      ? 'Reinstate the passport to end this.'
      : `The suspension ends${at(until)}, or when you end it.`,
  agent_expired: ({ since }) => `It expired${at(since)}. To use it again, change its end.`,
  agent_not_yet_valid: ({ until }) => `It begins${at(until)}.`,
  action_denied: () => 'The action is on the list of denied actions, which wins over the allowed ones.',
  action_not_allowed: () =>
    'Neither this action nor a pattern that covers it is on the list of allowed actions.',
  target_invalid: () => 'A target is a DID, such as did:web:shop.example.',
  target_required: () => 'The passport names its targets, and this intent has none.',
  target_not_allowed: () => 'The target is not among the allowed targets.',
  amount_invalid: () =>
    'An amount is an exact decimal from 0 to 10^15, with no more decimals than its currency has.',
  amount_required: () => 'This action has to carry an amount.',
  currency_invalid: () => 'A currency is a code of three capital letters, such as EUR.',
  currency_mismatch: ({ expected, actual }) =>
    `The passport counts in ${expected}; the intent names ${actual ?? 'none'}.`,
  amount_over_limit: ({ limit, actual }, currency) =>
    `The intent asks for ${money(`${actual}`, currency)}; at most ${money(`${limit}`, currency)} may be moved at once.`,
  usage_required: ({ unit }) => `It names no ${unit}.`,
  parameter_required: ({ at }) => `A condition or an order asks for ${at}, and the intent has none.`,
  parameter_not_allowed: ({ at, test }) => {
    if (test === 'name') return `A name in ${at} is there twice, in letters of different case.`;
    if (test === 'items') return `There are more than 256 values at ${at}.`;
    return `${at || 'A parameter'} fails the test ${test} of a condition.`;
  },
  session_required: ({ order }) => `The order ${order} counts by session, and the intent has none.`,
  parent_not_found: ({ parent }) => `The passport of its parent agent ${parent} does not exist.`,
  parent_denied: ({ parent, reason, ...facts }, currency) => {
    const code = `${reason}`;
    const advice = adviceOn({ ...facts, code }, currency) ?? code;
    return `Its parent agent ${parent} may not do this (${code}). ${advice}`;
  },
  proof_required: ({ proof }) =>
    proof === 'intent'
      ? 'The agent has to sign exactly this intent with a key of its passport.'
      : 'The agent has to prove with a key of its passport that the intent comes from it.',
  proof_invalid: ({ problem }) => PROOF_PROBLEMS[`${problem}`] ?? 'The proof is wrong.',
  proof_expired: ({ since }) => `The proof ended${at(since)}. The agent has to sign again.`,
  permit_unavailable: ({ problem }) => PERMIT_OBSTACLES[`${problem}`] ?? 'There is no permit for it.',
  token_unavailable: ({ problem }) => PERMIT_OBSTACLES[`${problem}`] ?? 'There is no token for it.',
  proof_replayed: () => 'A proof works for one ALLOW. The agent has to sign again.',
  history_unknown: () => 'Ask the service.',
  order_required: ({ order }) =>
    `The order ${order} asks for an earlier action that was reported as succeeded.`,
  order_forbidden: ({ order, until }) =>
    `By the order ${order}, an earlier action forbids it. Again${at(until)}.`,
  pace_exceeded: ({ max, seconds, until }) => `At most ${max} in ${seconds} s. Again${at(until)}.`,
  budget_exceeded: ({ budget, window, remaining, count, resets_at, unit }, currency) => {
    const left =
      count === undefined ? money(`${remaining}`, (unit as string) ?? currency) : `${remaining} of ${count}`;
    const again = resets_at === null ? 'It never begins again.' : `It begins again${at(resets_at)}.`;
    return `The budget ${budget} (${window}) has ${left} left. ${again}`;
  },
  budget_unknown: () => 'Ask the service: it counts budgets.',
  too_many_holds: () => 'Commit or release some of its 1,000 open holds.',
  approval_required: ({ approval_id, expires_at, too_large, too_many }) => {
    if (too_large) return 'The intent is larger than 16 KiB, so no approval can be requested for it.';
    if (too_many) return 'A hundred intents of this agent already wait for an approver. Decide some of them.';
    if (approval_id === null) return 'A person would be asked.';
    return `A person decides; the agent then asks again with approval_id ${approval_id}. It ends${at(expires_at)}.`;
  },
  approval_pending: () => 'A person has not decided yet.',
  approval_rejected: () => 'A person has said no to exactly this intent.',
  approval_expired: () => 'It was not decided, or not used, in time. Ask again without it.',
  approval_used: () => 'An approval works for one ALLOW. Ask again without it.',
  approval_mismatch: () => 'The approval is for another intent, agent or environment, or there is none.',
  rule_failed: (reason) => {
    const why = unreadPart(reason) ?? `The rule ${reason['rule'] ?? ''} broke or did not answer.`;
    return `${why} An intent that cannot be evaluated is denied.`;
  },
};

const PROOF_PROBLEMS: Readonly<Record<string, string>> = {
  malformed: 'The proof cannot be read: it is not a compact JWS, or its JSON is not strict.',
  type: 'The proof is a token of another kind: its typ must be agent-intent+jwt.',
  algorithm: 'The algorithm that the proof names does not fit its key.',
  key: 'The key that the proof names is not among the public keys of the passport.',
  claims: 'A claim of the proof is missing or wrong, or it names another agent.',
  audience: 'The proof is made for another service.',
  time: 'The proof begins in the future, or is valid for too long.',
  intent: 'The agent signed a different intent.',
  signature: 'The signature is not made with the key that the proof names.',
};

const PERMIT_OBSTACLES: Readonly<Record<string, string>> = {
  service: 'The service signs no permits: it has no public URL.',
  domain: 'The account has not proven that it owns the domain of the agent.',
  time: 'The passport, or one above it, ends within a second.',
  scope: 'A condition, a budget or an approval applies to each requested action.',
  agents: 'The issuer of the workload, or the plan, allows no more agents.',
  proof: 'The permit is to be bound to a key of the agent, and the intent has no valid proof.',
};

/** Explains a reason, with the currency of the intent. Returns `undefined` for rules of the application. */
export function adviceOn(reason: Reason, currency: string | null): string | undefined {
  return Object.hasOwn(ADVICE, reason.code) ? ADVICE[reason.code as ReasonCode](reason, currency) : undefined;
}

function at(instant: unknown): string {
  return typeof instant === 'string' ? ` on ${timeText(instant)}` : '';
}
