/**
 * The programs that `npm run test:all` runs after the test files, by the name of their script in package.json, with
 * the seconds that each takes on two idle cores.
 */
export const PROGRAMS = {
  nodes: { command: ['test:nodes', '--quick'], seconds: 30 },
  faults: { command: ['test:faults', '--quick'], seconds: 60 },
  fairness: { command: ['test:fairness', '--quick'], seconds: 70 },
  recipes: { command: ['test:recipes'], seconds: 60 },
  'third-parties': { command: ['test:third-parties'], seconds: 30 },
  bench: { command: ['bench', '--quick'], seconds: 30 },
  'bench ratios': { command: ['bench:guard'], seconds: 10 },
  'node@20': { command: ['test:runtimes', '--only', 'node@20'], seconds: 10 },
  'node@24': { command: ['test:runtimes', '--only', 'node@24'], seconds: 10 },
  bun: { command: ['test:runtimes', '--only', 'bun'], seconds: 10 },
};

/** The programs of each of five parts. */
export const PARTS = [
  ['nodes', 'node@20'],
  ['faults'],
  ['fairness', 'bun'],
  ['recipes', 'node@24'],
  ['third-parties', 'bench', 'bench ratios'],
];
