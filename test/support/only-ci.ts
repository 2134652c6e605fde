import { existsSync } from 'node:fs';

/**
 * The test files that only CI runs: they kill, freeze and restart servers, or start the command many times. Together
 * they take as long as all the others. `npx vitest run --config test/vitest.config.ts <file>` runs one of them
 * anywhere.
 */
const ONLY_CI: readonly string[] = [
  'bench/published',
  'cli/bench',
  'cli/both-ways',
  'cli/clock',
  'cli/doctor',
  'cli/drain',
  'cli/erasure',
  'cli/events-of-nodes',
  'cli/first-start',
  'cli/flood',
  'cli/journal-export',
  'cli/kill',
  'cli/kill-events',
  'cli/kill-verdicts',
  'cli/measure',
  'cli/passport-moves',
  'cli/passport-sign',
  'cli/secret',
  'cli/security-log',
  'cli/serve-settings',
  'cli/spends',
  'cli/stop',
  'cli/walk-through',
  'cli/webhook-both-ways',
  'client/events',
  'dashboard/approvals',
  'dashboard/delete-account',
  'dashboard/domains',
  'dashboard/flows',
  'dashboard/insight',
  'dashboard/keyboard',
  'dashboard/keys',
  'dashboard/look',
  'dashboard/naughty-strings',
  'dashboard/places',
  'dashboard/scale',
  'dashboard/sign-in',
  'dashboard/try',
  'dashboard/webhooks',
  'did/strangers',
  'http/events',
  'http/events-socket',
  'http/export',
  'http/generated-client',
  'http/login-throttle',
  'mcp-guard/hostile-lines',
  'mcp-guard/mcp-guard',
  'package',
  'proof/passport-strangers',
  'service/approvals/concurrency',
  'service/approvals/kill',
  'service/erasure/account',
  'service/erasure/kill',
  'service/events/proof',
  'service/held-texts',
  'service/journal-failures',
  'service/journal-fairness',
  'service/journal/recent-blocks',
  'service/kills/kills',
  'service/model/other-node',
  'service/plan-numbers',
  'service/process-end',
  'service/proof/exactly-once',
  'service/proof/kill',
  'service/replay/dictionary-judge',
  'service/rollup-deltas',
  'service/signing/first-start',
  'service/signing/kill',
  'service/signing/status-list-size',
  'service/spending/chain-concurrency',
  'service/spending/concurrency',
  'service/spending/copies',
  'service/spending/kill',
  'service/spending/killed-crowd',
  'service/spending/round-trips',
  'service/spending/wrong-input',
  'service/turns',
  'service/webhooks/kill',
  'service/webhooks/three-nodes',
  'storage/identity',
  'storage/pgbouncer',
  'storage/postgres',
  'storage/postgres-changes',
  'storage/postgres-faults',
  'storage/postgres-hosts',
  'storage/postgres-late-commit',
  'storage/postgres-rights',
  'storage/postgres-standby',
  'storage/redis-faults',
  'storage/redis-restores',
  'storage/redis-set-ups',
  'storage/sql-merges',
  'types/consumer',
  'types/examples',
  'types/framework-types',
  'types/named-types',
  'types/reason-codes',
].map((name) => `test/${name}.test.ts`);

/** The files that this run leaves out: none in CI, and none where files were asked for by name. */
export function leftOut(): readonly string[] {
  const asked = process.argv.some((argument) => /\.test(\.ts)?$/.test(argument));
  return process.env['CI'] !== undefined || asked ? [] : ONLY_CI;
}

/** Called by vitest once, before the first test: says what is left out. */
export function setup(): void {
  const gone = ONLY_CI.filter((file) => !existsSync(file));
  if (gone.length > 0)
    throw new Error(`test/support/only-ci.ts names files that do not exist: ${gone.join(', ')}`);
  const files = leftOut();
  if (files.length > 0) console.warn(`Only CI runs these ${files.length} files: ${files.join(', ')}`);
}
