import type { Condition, Order } from '../../../../src/types.ts';

export function conditionSentence({
  actions,
  at,
  optional,
  agent_id,
  ...test
}: Condition & { readonly agent_id?: string }): string {
  const subject = at === '' ? 'the parameters' : at;
  const scope = actions === undefined ? 'every action' : actions.join(', ');
  const owner = agent_id === undefined ? '' : `, of ${agent_id}`;
  return `${scope}: ${subject} ${testOf(test)}${optional ? ', if it is given' : ''}${owner}`;
}

export function orderSentence({
  name,
  actions,
  needs,
  forbids,
  same = [],
  agent_id,
}: Order & { readonly agent_id?: string }): string {
  const { actions: earlier = [], seconds } = needs ?? forbids ?? { seconds: 0 };
  const done =
    forbids?.failed === undefined ? earlier.join(', ') : `${forbids.failed} failed of ${earlier.join(', ')}`;
  const when =
    needs === undefined ? `not within ${seconds} s after` : `only within ${seconds} s after a success of`;
  const scope = same.length === 0 ? '' : `, by the same ${same.join(', ')}`;
  const owner = agent_id === undefined ? '' : `, of ${agent_id}`;
  return `${name}: ${actions.join(', ')} ${when} ${done}${scope}${owner}`;
}

type Test = Omit<Condition, 'actions' | 'at' | 'optional'>;

const LISTS = {
  in: 'is one of',
  not_in: 'is none of',
  prefix: 'begins with',
  suffix: 'ends with',
  email_in: 'is an address of',
  url_under: 'is at or below',
  path_under: 'is at or below',
  only: 'has no other members than',
} as const;

function testOf(test: Test): string {
  const { min, max, max_items, present } = test;
  for (const [name, words] of Object.entries(LISTS)) {
    const entries = test[name as keyof typeof LISTS];
    if (entries !== undefined) return `${words} ${entries.map((entry) => JSON.stringify(entry)).join(', ')}`;
  }
  if (min !== undefined && max !== undefined) return `is from ${min} to ${max}`;
  if (min !== undefined) return `is at least ${min}`;
  if (max !== undefined) return `is at most ${max}`;
  if (max_items !== undefined) return `has at most ${max_items} elements`;
  return present ? 'is there and not empty' : 'is not there';
}
