import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { nodesOf, type Source, sourcesIn } from './sources.ts';

/** A binding with such a name says how it came about or where it stands, and not what it is. */
const PARTICIPLE =
  /^(?:(?!seed|feed|speed|need|embed)[a-z]{2,}ed|given|found|kept|known|sent|taken|told|said|seen|held|made|left|lent|begun|done|written|chosen|drawn|shown|thrown|grown|gone|built|bought|brought|caught|got|had|heard|hidden|laid|lost|meant|met|paid|spent|spoken|stolen|struck|taught|understood|won|worn|bound|broken|born|beaten|become|forgotten|fallen|led)$/;
const PLACE =
  /^(?:at|to|by|of|from|in|on|past|before|after|since|until|till|under|over|within|beside|besides|above|below|behind|between|into|onto|upon|with|without|about|against|along|among|around|as|for|off|out|through|toward|towards|up|down|via|per|during|except|near|again|then|here|there|where|when|while|if|yet|too|once|ever|also|only|just|still|already|instead|otherwise|thus)$/;
const PRONOUN =
  /^(?:one|two|three|others?|another|all|each|every|both|either|neither|own|what|who|whom|whose|which|whichever|whatever|that|these|those|its?|them|they|their|theirs|ours|mine|none|nothing|nobody|something|anything|everything|some|any|rest|few|many|more|most|less|least|enough|several|such|same)$/;
/** The share in percent. It may only fall. */
const MOST_BARE = 3.2;

const sources = sourcesIn('src', 'adapters').filter(
  ({ path }) => !/^src\/(?:build|testing)\/|\.generated\./.test(path),
);

test('few parameters and variables are named by a bare participle, preposition or pronoun', () => {
  const names = sources.flatMap(bindingsOf);
  const bare = names.filter(isBare);
  expect((100 * bare.length) / names.length).toBeLessThanOrEqual(MOST_BARE);
});

test('the words tell a bare participle from a noun', () => {
  expect(['given', 'kept_', 'before', 'one', 'blocked'].map(isBare)).toEqual([true, true, true, true, true]);
  expect(['seed', 'keptRows', 'now', 'this', 'option'].map(isBare)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

/** Returns the names of the parameters, the variables and the parts of patterns. */
function bindingsOf({ tree }: Source): readonly string[] {
  return nodesOf(tree)
    .filter((node) => ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node))
    .flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

function isBare(name: string): boolean {
  const word = name.replace(/^_+|_+$|\d+$/g, '');
  return PARTICIPLE.test(word) || PLACE.test(word) || PRONOUN.test(word);
}
