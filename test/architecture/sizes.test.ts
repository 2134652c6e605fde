import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { codeLines, nodesOf, ownStatements, placeOf, sourcesIn } from './sources.ts';

const program = [
  ...sourcesIn('src').filter(({ path }) => !path.startsWith('src/build/')),
  ...sourcesIn('adapters'),
];
const others = sourcesIn('examples', 'bench', 'test');

/** The files with more than 200 lines of code, and the functions with more than 30 statements: the numbers only fall. */
const LONGER_FILES: Readonly<Record<string, number>> = {
  'src/guard/tool-rule.ts': 222,
  'src/http/error-help.ts': 203,
  'src/http/examples/examples.ts': 291,
  'src/http/openapi.ts': 222,
  'src/json/read-json.ts': 214,
  'src/testing/arbitraries.ts': 228,
  'src/testing/storage-contract/due-lists.ts': 208,
  'src/testing/storage-contract/journal/block-lists.ts': 223,
  'src/testing/storage-contract/journal/compaction.ts': 262,
  'src/testing/storage-contract/journal/filing.ts': 271,
  'src/testing/storage-contract/journal/merging.ts': 214,
  'src/testing/storage-contract/journal/sums.ts': 211,
  'src/testing/storage-contract/lists.ts': 271,
  'src/testing/storage-contract/writes.ts': 215,
  'src/webhooks/sender.ts': 206,
  'adapters/dashboard/app/pages/keys/key-page.tsx': 211,
  'adapters/dashboard/app/pages/overview/first-run.tsx': 206,
  'adapters/storage/redis/examine.ts': 218,
};
const LONGER_FUNCTIONS: Readonly<Record<string, number>> = {
  'src/base/values/agent-id.ts': 32,
  'src/json/read-json.ts': 40,
  'src/core/spending/spending.ts': 39,
  'src/verdict/decide.ts': 41,
};

test('a file of the tests, examples and benchmarks has at most 300 lines', () => {
  const long = others.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
});

test('a file of the package has at most 200 lines of code', () => {
  const long = program.map((source) => [source.path, codeLines(source)] as const);
  const over = long.filter(([path, lines]) => lines > (LONGER_FILES[path] ?? 200));
  expect(over).toEqual([]);
  const short = Object.keys(LONGER_FILES).filter(
    (path) => !long.some(([one, lines]) => one === path && lines > 200),
  );
  expect(short).toEqual([]);
});

test('a function of the package has at most 30 statements of its own', () => {
  const most = new Map(
    program.map((source) => [source.path, Math.max(0, ...nodesOf(source.tree).map(ownStatements))]),
  );
  const over = [...most].filter(([path, count]) => count > (LONGER_FUNCTIONS[path] ?? 30));
  expect(over).toEqual([]);
  const short = Object.keys(LONGER_FUNCTIONS).filter((path) => (most.get(path) ?? 0) <= 30);
  expect(short).toEqual([]);
});

test('no literal is spread: each property has its own line', () => {
  const spread = program.flatMap((source) =>
    nodesOf(source.tree)
      .filter((node) => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      .map((node) => placeOf(source, node)),
  );
  expect(spread).toEqual([]);
});
