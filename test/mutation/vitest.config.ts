import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const fastCheck = fileURLToPath(import.meta.resolve('fast-check'));
const FIXED_EXAMPLES = '\0fixed-examples';

/**
 * In place of `fast-check` while mutants are tried: a property without a seed is tried with its fixed examples alone,
 * because what only a random draw finds is found in some runs and not in others. No text of any kind is drawn, so none
 * is prepared: to know all of Unicode takes a second for each mutant.
 */
const fixedExamples = `
  import * as fc from ${JSON.stringify(fastCheck)};
  export * from ${JSON.stringify(fastCheck)};
  export const assert = (property, parameters = {}) => {
    const { seed, examples = [] } = parameters;
    if (seed !== undefined) return fc.assert(property, parameters);
    return examples.length === 0 ? undefined : fc.assert(property, { examples, numRuns: examples.length });
  };
  export const string = () => fc.constant('');
  export const jsonValue = () => fc.constant(null);
  export default { ...fc, assert, string, jsonValue };
`;

const MUTATED = JSON.stringify(
  (process.env['MUTATED_FILES'] ?? '').split(' ').map((path) => `../../${path}`),
);

/** The tests of one group (`groups.mjs`); Stryker runs of them what covers a mutant. */
const config: ViteUserConfig = defineConfig({
  resolve: {
    alias: { '#safe-fetch': fileURLToPath(new URL('../../adapters/node/index.ts', import.meta.url)) },
  },
  plugins: [
    {
      name: 'fixed-examples',
      enforce: 'pre',
      resolveId: (id) => (id === 'fast-check' ? FIXED_EXAMPLES : undefined),
      load: (id) => (id === FIXED_EXAMPLES ? fixedExamples : undefined),
    },
    {
      // Each runner, also one that replaces another after a mutant without end, reads all that may be loaded.
      name: 'only-mutated-modules',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('/modules-load.ts') ? code.replace("'../../src/**/*.ts'", MUTATED) : undefined,
    },
  ],
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/mutation/modules-load.ts', ...(process.env['MUTATION_TESTS'] ?? '').split(' ')],
    testTimeout: 60_000,
    // A run has one mutant and a thread of its own: its files need not be kept apart, which takes far longer.
    isolate: false,
  },
});

export default config;
