import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { leftOut } from './support/heavy.js';

const config: ViteUserConfig = defineConfig({
  // As package.json has it for Node, but from the sources.
  resolve: {
    alias: { '#safe-fetch': fileURLToPath(new URL('../adapters/node/index.ts', import.meta.url)) },
  },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: [...leftOut()],
    globalSetup: ['test/support/heavy.ts'],
    setupFiles: ['test/support/seed.ts'],
    // A machine that does other work at the same time is slow at times.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // The files share the modules of a worker: loading them anew for each took a minute of work.
    isolate: false,
    // A test makes much that soon is garbage: with a small nursery, collections take a tenth of the work.
    execArgv: ['--max-semi-space-size=64'],
    // Some tests wait for a server or for time to pass, and leave the cores to the others.
    maxWorkers: availableParallelism() + 1,
  },
});

export default config;
