/**
 * The states of one passport or key in their order, and the evaluator of verdicts on it. A verdict is compared with the
 * changes that were acknowledged before its request started: what is older than the last of them is stale.
 */

/** The timeline of a subject whose first state is acknowledged now; that state decides `verdict`. */
export function createTimeline(verdict) {
  return [{ kind: 'first', verdict, sentAt: 0, effectiveAt: performance.now(), lateness: new Map() }];
}

/** Notes a change that is on its way; `acknowledge` it when the answer is there. */
export function expectChange(timeline, kind, verdict) {
  const state = { kind, verdict, sentAt: performance.now(), effectiveAt: Infinity, lateness: new Map() };
  timeline.push(state);
  return state;
}

/**
 * Evaluates one verdict: `seen` is the state that decided it, `verdict` what was answered, `node` who. What is stale is
 * noted with the changes that it missed: how long after the acknowledgement its request started.
 */
export function evaluate(timeline, { node, seen, verdict, startedAt, endedAt }) {
  const state = timeline[seen];
  if (state === undefined || state.sentAt > endedAt || state.verdict !== verdict) return 'wrong';
  const due = lastKnown(timeline, startedAt);
  if (seen >= due) return 'fresh';
  for (let missed = seen + 1; missed <= due; missed += 1) {
    const { lateness, effectiveAt } = timeline[missed];
    lateness.set(node, Math.max(lateness.get(node) ?? 0, startedAt - effectiveAt));
  }
  if (timeline[due].verdict === verdict) return 'older';
  return verdict === 'ALLOW' ? 'stale ALLOW' : 'stale DENY';
}

/** The last state that a verdict must know whose request starts then. */
function lastKnown(timeline, at) {
  return timeline.findLastIndex(({ effectiveAt }) => effectiveAt <= at);
}
