import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { nodesOf, placeOf, type Source, sourcesIn } from './sources.ts';

const DOCSTRING = /^[ \t]*\/\*\*([\s\S]*?)\*\//gm;
/** A sentence that begins with one of these has no subject: the reader must find it in the code. */
const OPENER = /^(?:what|how|whether|which|those|that|as|of|for|where)\b/i;
const THIRD_PERSON = /^(?:[A-Z][a-z]+s|Must)\b/;

/** All of the package; what makes it is no part of it. */
const sources = sourcesIn('src', 'adapters').filter(({ path }) => !path.startsWith('src/build/'));

test('no docstring begins with a word that leaves its subject to the reader', () => {
  const found = sources.flatMap(({ path, text }) =>
    docstringsIn(text)
      .filter((first) => OPENER.test(first))
      .map((first) => `${path}: ${first}`),
  );
  expect(found).toEqual([]);
});

test('the docstring of a function begins with a verb in the third person', () => {
  const found = sources.flatMap((source) =>
    nodesOf(source.tree)
      .filter((node) => ts.isFunctionDeclaration(node) || ts.isMethodSignature(node))
      .flatMap((node) => functionDocstring(source, node))
      .filter(({ first }) => !THIRD_PERSON.test(first))
      .map(({ place, first }) => `${place}: ${first}`),
  );
  expect(found).toEqual([]);
});

/** Finds errors that a docstring names in prose instead of a tag. The first sentence of a docstring may begin so. */
const THROWS_IN_PROSE = /\. Throws (?:an? )?`/;

test('no docstring names the code of an error in prose instead of a tag', () => {
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(DOCSTRING)]
      .map(([, inside = '']) => inside.replace(/\s+\*?\s*/g, ' '))
      .filter((docstring) => THROWS_IN_PROSE.test(docstring))
      .map((docstring) => `${path}:${docstring}`),
  );
  expect(found).toEqual([]);
});

test('the two patterns know an opener from a verb and a noun', () => {
  const texts = [
    '/** Whether it is one. */',
    '/**\n * @internal As it was given.\n */',
    '/** Returns one. */',
  ];
  expect(docstringsIn(texts.join('\n')).map((first) => OPENER.test(first))).toEqual([true, true, false]);
  expect(['Returns one.', 'The one.', 'Must end.'].map((first) => THIRD_PERSON.test(first))).toEqual([
    true,
    false,
    true,
  ]);
});

/** The first lines of the docstrings of a text, without `@internal` and `@public`. */
function docstringsIn(text: string): string[] {
  return [...text.matchAll(DOCSTRING)].map(([, inside = '']) =>
    inside
      .replace(/^[\s*]*(?:@(?:internal|public)[\s*]*)?/, '')
      .replace(/\n[\s\S]*/, '')
      .trim(),
  );
}

function functionDocstring(source: Source, node: ts.Node): { place: string; first: string }[] {
  const first = docstringsIn(source.text.slice(node.pos, node.getStart(source.tree))).at(-1);
  return first === undefined ? [] : [{ place: placeOf(source, node), first }];
}
