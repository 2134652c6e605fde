/** Examples of a comparison and a replay, for a change that lowers a limit. */
export function comparisonExample(
  intent: { readonly agent_id: string },
  instant: string,
): Readonly<Record<string, unknown>> {
  const reason = {
    code: 'amount_over_limit',
    message: 'The amount is over the limit.',
    limit: '15',
    actual: '15.01',
  };
  const budgets = { [intent.agent_id]: { day: { spent: 0 } } };
  const difference = {
    code: reason.code,
    reasons: [reason],
    intent: { ...intent, parameters: { amount: 15.01, currency: 'EUR' } },
    at: instant,
    allowed: { budgets },
    denied: { budgets },
  };
  return { result: 'narrower', wider: [], narrower: [difference] };
}

export function replayExample(
  change: { readonly [field: string]: unknown },
  record: object,
  { from, to }: { readonly from: string; readonly to: string },
): Readonly<Record<string, unknown>> {
  const [{ reasons }] = change['narrower'] as readonly [{ readonly reasons: unknown }];
  return {
    change,
    covered: { from, to, records: 12_034, complete: true },
    judged: 12_034,
    unchanged: 11_993,
    now_denied: 41,
    now_allowed: 0,
    unknown: {},
    by_change: { now_denied: 41, now_allowed: 0 },
    reasons: [{ code: 'amount_over_limit', count: 41 }],
    used: { unused: { allowed_actions: ['orders.*'], allowed_targets: [] }, highest_amount: 99.5 },
    examples: [{ record, verdict: 'DENY', reasons, unknown: null }],
    dropped: 0,
  };
}
