import type { ViteUserConfig } from 'vitest/config';
import every from '../vitest.config.js';

/** The long proofs, in full size with `NIGHTLY=1`. */
const PROOFS: readonly string[] = [
  'test/service/histories.test.ts',
  'test/service/events/proof.test.ts',
  'test/cli/events-of-nodes.test.ts',
  'test/dashboard/scale.test.ts',
  'test/guard/**/*.test.ts',
  'test/mcp-guard/**/*.test.ts',
  'test/recipes/**/*.test.ts',
  'test/types/framework-types.test.ts',
  'test/service/kills/kills.test.ts',
  'test/service/signing/**/*.test.ts',
  'test/did/**/*.test.ts',
  'test/service/proof/**/*.test.ts',
  'test/proof/**/*.test.ts',
  'test/service/spending/**/*.test.ts',
  'test/storage/sql-merges.test.ts',
  'test/service/erasure/**/*.test.ts',
  'test/service/approvals/**/*.test.ts',
  'test/service/replay/**/*.test.ts',
  'test/service/webhooks/**/*.test.ts',
  'test/import/**/*.test.ts',
  'test/aip/**/*.test.ts',
  'test/service/passports/effective.test.ts',
  'test/verdict/ancestor-properties.test.ts',
  'test/verdict/cedar.test.ts',
];

const config: ViteUserConfig = { ...every, test: { ...every.test, include: [...PROOFS] } };

export default config;
