import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The files share the modules of a worker: loading them anew for each took a minute of work.
    isolate: false,
    // Some tests wait for a server or for time to pass, and leave the cores to the others.
    maxWorkers: availableParallelism() + 1,
  },
});

export default config;
