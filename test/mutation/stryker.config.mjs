/** What is mutated, and how. Run by `run.mjs`. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
const config = {
  mutate: [
    'src/{action,agent-id,currency,instant,json-data,money,plain-data,punycode,target,white-space,whole-number}.ts',
    'src/verdict/*.ts',
    'src/credential/*.ts',
    'src/http/{authenticate,json-number,json-string,read-json}.ts',
    'src/service/cache/*.ts',
  ],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 2,
  dryRunTimeoutMinutes: 15,
  // Stryker reads it by an API that TypeScript 7 does not have.
  tsconfigFile: 'no-tsconfig.json',
  reporters: ['json', 'html', 'clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false, reportMutants: false, logTests: false },
  jsonReporter: { fileName: '.build/mutation/report.json' },
  htmlReporter: { fileName: '.build/mutation/report.html' },
  tempDirName: '.build/mutation/sandbox',
  incrementalFile: '.build/mutation/incremental.json',
  ignorePatterns: ['/*', '!/src', '!/test', '!/adapters', '!/package.json', '!/tsconfig.json'],
  allowEmpty: false,
};

export default config;
