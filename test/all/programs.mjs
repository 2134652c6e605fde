/** The programs that `npm run test:all` runs after the test files, by the name of their script in package.json. */
export const PROGRAMS = {
  nodes: ['test:nodes', '--quick'],
  faults: ['test:faults', '--quick'],
  fairness: ['test:fairness', '--quick'],
  recipes: ['test:recipes'],
  strangers: ['test:strangers'],
  bench: ['bench', '--quick'],
  'bench ratios': ['bench:guard'],
  'node@20': ['test:runtimes', '--only', 'node@20'],
  'node@24': ['test:runtimes', '--only', 'node@24'],
  bun: ['test:runtimes', '--only', 'bun'],
};

/** The programs of each of five parts, which take about the same time. */
export const PARTS = [
  ['nodes', 'node@20'],
  ['faults'],
  ['fairness', 'bun'],
  ['recipes', 'node@24'],
  ['strangers', 'bench', 'bench ratios'],
];
