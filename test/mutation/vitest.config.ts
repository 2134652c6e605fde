import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const fastCheck = fileURLToPath(import.meta.resolve('fast-check'));
const fixedExamples = fileURLToPath(new URL('fixed-examples.ts', import.meta.url));

/** The tests that are quick and touch what is mutated; Stryker runs of them what covers a mutant. */
const config: ViteUserConfig = defineConfig({
  plugins: [
    {
      name: 'fixed-examples',
      enforce: 'pre',
      resolveId: (id, importer) =>
        id !== 'fast-check' ? undefined : importer === fixedExamples ? fastCheck : fixedExamples,
    },
  ],
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: [
      'test/mutation/modules-load.ts',
      'test/*.test.ts',
      'test/{verdict,credential,service/cache}/*.test.ts',
      'test/http/{authenticate,json-number,json-refusals,json-string,read-json}.test.ts',
    ],
    exclude: [
      // Of the package, of programs and of servers, not of these sources.
      'test/{agreement,architecture,client*,compose,deadlines,examples,express*,package,platform,readme*}.test.ts',
      // Only draws.
      'test/verdict/{money,properties}.test.ts',
      // Takes a second for each hash.
      'test/credential/password-cost.test.ts',
    ],
    testTimeout: 60_000,
    isolate: false,
  },
});

export default config;
