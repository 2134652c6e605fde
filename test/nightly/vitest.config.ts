import type { ViteUserConfig } from 'vitest/config';
import every from '../vitest.config.js';

/** The long proofs, in full size with `NIGHTLY=1`. */
const PROOFS: readonly string[] = [
  'test/core/histories.test.ts',
  'test/core/events/proof.test.ts',
  'test/cli/events-of-nodes.test.ts',
  'test/http/links.test.ts',
  'test/dashboard/scale.test.ts',
  'test/dashboard/roles.test.ts',
  'test/guard/**/*.test.ts',
  'test/mcp-guard/**/*.test.ts',
  'test/recipes/**/*.test.ts',
  'test/types/framework-types.test.ts',
  'test/core/kills/**/*.test.ts',
  'test/core/evidence/**/*.test.ts',
  'test/transparency-log/**/*.test.ts',
  'test/identity/**/*.test.ts',
  'test/core/proof/**/*.test.ts',
  'test/tokens/proof/**/*.test.ts',
  'test/core/outcomes/**/*.test.ts',
  'test/core/spending/**/*.test.ts',
  'test/storage/sql-merges.test.ts',
  'test/storage/postgres-joined-writes.test.ts',
  'test/storage/redis-partition.test.ts',
  'test/storage/redis-slot-move.test.ts',
  'test/core/erasure/**/*.test.ts',
  'test/erasure/**/*.test.ts',
  'test/core/approvals/**/*.test.ts',
  'test/core/members/**/*.test.ts',
  'test/core/replay/**/*.test.ts',
  'test/core/webhooks/**/*.test.ts',
  'test/import/**/*.test.ts',
  'test/core/passports/effective.test.ts',
  'test/verdict/ancestor-properties.test.ts',
  'test/verdict/cedar.test.ts',
  'test/verdict/compare/**/*.test.ts',
  'test/verifier/oracle.test.ts',
  'test/verifier/fleet.test.ts',
  'test/verifier/many-agents.test.ts',
  'test/core/verifiers/hostile.test.ts',
  'test/cli/flood.test.ts',
  'test/cli/kill.test.ts',
  'test/cli/kill-verdicts.test.ts',
  'test/core/model.test.ts',
  'test/cli/kill-verifier.test.ts',
  'test/nightly/fault-matrix.ts',
];

const config: ViteUserConfig = { ...every, test: { ...every.test, include: [...PROOFS] } };

export default config;
