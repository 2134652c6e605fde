/**
 * What is mutated, and by which tests each part of it is tried: those that stand beside it. A mutant outside of a
 * function is tried by all of them, so that one choice for everything would take hours.
 */
import { readdirSync } from 'node:fs';

/** @typedef {{ name: string, files: readonly string[], tests: readonly string[] }} Group */

const BASE =
  'action agent-id approval budget budget-window instant json-data money plain-data target ' +
  'white-space whole-number';

/** @type {readonly Group[]} */
export const groups = [
  { name: 'base', files: named('src/base/values', BASE), tests: ['test/base/values/*.test.ts'] },
  {
    name: 'verdict',
    files: all('src/verdict'),
    // The others only draw.
    tests: [
      'test/verdict/{ancestors,application-rules,approvals,budgets,codes,facts,lists,plain-data,prepare,proof,rules,totality}.test.ts',
    ],
  },
  {
    name: 'compare',
    files: all('src/verdict/compare'),
    // The solver is a program of its own, and starts anew for each question.
    tests: ['test/verdict/compare/!(solver).test.ts'],
  },
  {
    name: 'credential',
    files: all('src/credential'),
    // In password-cost a hash takes a second.
    tests: ['test/credential/!(password-cost).test.ts'],
  },
  {
    name: 'http',
    files: named('src/http', 'authenticate'),
    tests: ['test/http/authenticate.test.ts'],
  },
  {
    name: 'json',
    files: all('src/json'),
    tests: ['test/http/{json-number,json-refusals,json-string,read-json}.test.ts'],
  },
  {
    name: 'storage',
    files: named('src/core/storage', 'caches record-cache'),
    tests: [
      'test/core/storage/{caches,confirmed-record,gone-record,json-length,overtaken,record-cache,refreshes,version-floor}.test.ts',
    ],
  },
];

function named(folder, names) {
  return names.split(' ').map((name) => `${folder}/${name}.ts`);
}

function all(folder) {
  const names = readdirSync(new URL(`../../${folder}`, import.meta.url)).filter((name) =>
    name.endsWith('.ts'),
  );
  return names.sort().map((name) => `${folder}/${name}`);
}
