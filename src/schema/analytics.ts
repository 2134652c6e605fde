/** The schema of the answer of analytics, which contains counts of verdicts. */
import { instant } from './fields.ts';
import { answer, type JsonSchema, nullable } from './json-schema.ts';
import { outcomeSums } from './outcome.ts';

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const topList: JsonSchema = { type: 'array', maxItems: 10, items: answer({ key: text, count }) };

export const analyticsAnswer: JsonSchema = answer({
  overview: answer({
    total_agents: count,
    active_agents: count,
    suspended_agents: count,
    revoked_agents: count,
    total_verifications: count,
    allowed: count,
    denied: count,
  }),
  outcomes: outcomeSums,
  series: { type: 'array', items: answer({ start: instant, allowed: count, denied: count }) },
  top_agents: topList,
  top_actions: topList,
  top_reasons: topList,
  latency_us: answer({ p50: nullable(count), p95: nullable(count), p99: nullable(count) }),
  journal_dropped: count,
  complete_since: instant,
});
