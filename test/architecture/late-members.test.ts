import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { nodesOf, placeOf, type Source, sourcesIn } from './sources.ts';

/** What runs once a request or a record. */
const HOT = ['src/http', 'src/core/verification', 'src/core/journal', 'src/journal-format', 'src/verdict'];
/** Made once, when a module is loaded, or for each change of a passport. */
const ONCE = /example|openapi|endpoints\/|verdict\/compare\//;

/** These replace a member that is there, which costs nothing, or are made in rare cases only. */
const ALLOWED: readonly string[] = [
  'src/http/access/read-evaluation.ts ...whole',
  'src/http/access/evaluate.ts ...properties',
  'src/http/access/evaluate.ts ...(resource.id',
  'src/http/access/evaluate.ts ...(amount',
  'src/http/answer.ts ...(trace_id',
  'src/http/answer.ts ...otherFields',
  'src/http/read-proof.ts ...body',
  'src/core/journal/merge/agent-records.ts ...delta count',
  'src/core/journal/read/block-list.ts ...query limit',
  'src/core/journal/write/lanes.ts ...drop',
  'src/core/journal/write/drains.ts ...record reasons',
  'src/core/journal/write/drains.ts ...copy budgets',
  'src/core/journal/merge/merger.ts ...range',
  'src/core/journal/merge/rollups.ts ...known',
  'src/core/verification/answers.ts ...record permit',
  'src/core/verification/evaluate.ts ...given caller',
  'src/core/verification/takings.ts ...',
  'src/core/verification/takings.ts ...',
  'src/core/verification/replays.ts ...',
  'src/core/verification/takings.ts ...',
  'src/core/verification/verify-caller.ts ...caller agent_ids',
  'src/core/verification/verify.ts ...parts',
  'src/verdict/ancestors.ts ...PARENT_',
  'src/verdict/budgets.ts ...(currency',
  'src/verdict/proof.ts ...NO_PROOF',
  'src/verdict/rule-list.ts ...RULE_FAILED',
  'src/verdict/rule-list.ts ...facts',
];

/**
 * The object literals that add a member behind a spread. V8 (Node 20) makes a hidden class for each such object: it
 * takes 30 times as long as with the spread last, and every later read misses its inline cache.
 */
function lateMembers({ path, tree }: Source): readonly string[] {
  return nodesOf(tree)
    .filter(ts.isObjectLiteralExpression)
    .flatMap(({ properties }) => {
      const first = properties.findIndex(ts.isSpreadAssignment);
      const late = first < 0 ? [] : properties.slice(first + 1).filter((one) => !ts.isSpreadAssignment(one));
      return late.map((one) => `${path} ${properties[first]?.getText(tree)} ${one.name?.getText(tree)}`);
    });
}

/** A view of one block, whose columns are read once each. */
const VIEWS = /^src\/(?:journal-format\/block-view|core\/journal\/read\/[\w-]+)\.ts$/;

/** The getters of object literals: V8 makes a hash table of such an object, and inlines none of its methods. */
function getters(source: Source): readonly string[] {
  return nodesOf(source.tree)
    .filter((node) => ts.isGetAccessor(node) && ts.isObjectLiteralExpression(node.parent))
    .map((node) => placeOf(source, node));
}

test('what runs for each request or record has no getter in an object literal', () => {
  const rooms = [...HOT, 'src/base', 'src/core/spending', 'src/core/storage', 'src/verifier'];
  const sources = rooms.flatMap((room) => sourcesIn(room)).filter(({ path }) => !VIEWS.test(path));
  expect(sources.flatMap(getters)).toEqual([]);
});

test('what is made for each request or record adds no member behind a spread', () => {
  const found = HOT.flatMap((room) => sourcesIn(room))
    .filter(({ path }) => !ONCE.test(path))
    .flatMap(lateMembers)
    .filter((one) => !ALLOWED.some((allowed) => one.startsWith(allowed)));
  expect(found).toEqual([]);
});
