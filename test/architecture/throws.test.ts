import { expect, test } from 'vitest';
import type { OperationTable } from '../../src/operations/operation.ts';
import { publicFunctions, publicMethods, publicTables } from './public.ts';

/** The codes of methods that their rows do not name. May only shrink. */
const NOT_IN_ROW: Readonly<Record<string, string>> = {
  account: 'not_found',
  release: 'insufficient_scope',
};
/** Methods that end work. They refuse no input, and a second call does nothing. */
const ENDS = /\.(?:close|\[Symbol\.asyncDispose\])$/;
/** A method with another result reads a value or receives an event, and refuses no input. */
const ASYNC = /^(?:Promise|Pages|AsyncIterable)</;
/** A function with one of these in its body throws for a wrong input. */
const THROWS = /\bthrow |\b(?:knownOptions|wholeNumber)\b|\b(?:assert|refuse|require)[A-Z]\w*\(/;

test.each(publicTables)(
  'the methods of $name have a tag for each code of their operations',
  async (table) => {
    const module = (await import(table.file)) as Record<string, OperationTable>;
    const rows = Object.entries((module[table.name] as OperationTable).operations);
    for (const [method, { errors = [], body, query, headers = [] }] of rows) {
      const input = body !== undefined || query !== undefined ? ['invalid_request'] : [];
      const once = headers.includes('Idempotency-Key') ? ['idempotency_mismatch', 'conflict'] : [];
      const found = new Set(table.codes.get(method)?.filter((code) => code !== NOT_IN_ROW[method]));
      expect([...found].sort(), method).toEqual([...new Set([...errors, ...input, ...once])].sort());
    }
  },
);

test('a public method with a promise has a tag, or says that it never rejects', () => {
  const silent = publicMethods.filter(
    ({ name, node, isDescribed }) =>
      !isDescribed && ASYNC.test(node.type?.getText() ?? '') && !ENDS.test(name),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a public function that refuses an input or returns a promise has a tag', () => {
  const silent = publicFunctions.filter(({ node, isDescribed }) => {
    const isAsync = ASYNC.test(node.type?.getText() ?? '');
    return !isDescribed && (isAsync || THROWS.test(node.getText().slice(node.getText().indexOf('{'))));
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('finds the tables, methods and functions of the entry points', () => {
  expect(publicTables.length).toBeGreaterThan(15);
  expect(publicMethods.map(({ name }) => name)).toContain('HostSpends.commit');
  expect(publicFunctions.map(({ name }) => name)).toContain('createIdentityService');
});
