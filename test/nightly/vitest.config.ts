import type { ViteUserConfig } from 'vitest/config';
import every from '../vitest.config.js';

/** The long proofs, in full size with `NIGHTLY=1`. */
const PROOFS: readonly string[] = [
  'test/service/histories.test.ts',
  'test/service/events/proof.test.ts',
  'test/cli/events-of-nodes.test.ts',
  'test/http/links.test.ts',
  'test/dashboard/scale.test.ts',
  'test/dashboard/roles.test.ts',
  'test/guard/**/*.test.ts',
  'test/mcp-guard/**/*.test.ts',
  'test/recipes/**/*.test.ts',
  'test/types/framework-types.test.ts',
  'test/service/kills/**/*.test.ts',
  'test/service/evidence/**/*.test.ts',
  'test/log-tree/**/*.test.ts',
  'test/service/signing/**/*.test.ts',
  'test/did/**/*.test.ts',
  'test/service/proof/**/*.test.ts',
  'test/proof/**/*.test.ts',
  'test/service/outcomes/**/*.test.ts',
  'test/service/permits/**/*.test.ts',
  'test/service/spending/**/*.test.ts',
  'test/storage/sql-merges.test.ts',
  'test/storage/postgres-joined-writes.test.ts',
  'test/storage/redis-partition.test.ts',
  'test/storage/redis-slot-move.test.ts',
  'test/service/erasure/**/*.test.ts',
  'test/service/approvals/**/*.test.ts',
  'test/service/members/**/*.test.ts',
  'test/service/replay/**/*.test.ts',
  'test/service/webhooks/**/*.test.ts',
  'test/import/**/*.test.ts',
  'test/service/passports/effective.test.ts',
  'test/verdict/ancestor-properties.test.ts',
  'test/verdict/cedar.test.ts',
  'test/verdict/compare/**/*.test.ts',
  'test/verifier/oracle.test.ts',
  'test/verifier/fleet.test.ts',
  'test/verifier/many-agents.test.ts',
  'test/service/verifiers/hostile.test.ts',
  'test/cli/flood.test.ts',
  'test/cli/kill.test.ts',
  'test/cli/kill-verdicts.test.ts',
  'test/service/model.test.ts',
  'test/cli/kill-verifier.test.ts',
  'test/nightly/fault-matrix.ts',
];

const config: ViteUserConfig = { ...every, test: { ...every.test, include: [...PROOFS] } };

export default config;
