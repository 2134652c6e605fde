/** That our texts can be understood at the first reading: the rules of our style, counted for each kind of text. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages, readPage } from '../readme/pages.ts';
import { root } from '../readme/run.ts';
import { LIMITS, MOST_WORDS } from './limits.ts';
import { phrasesOf, readHelp, readOpenApi, textsOfElements } from './product-texts.ts';
import { brokenRule, GROUP_RULES, HELP_RULES, type Rule, SENTENCE_RULES, SUMMARY_RULES } from './rules.ts';
import {
  sentencesOf,
  sentencesOfDocstrings,
  sentencesOfLiterals,
  sentencesOfPage,
  summariesOf,
} from './sentences.ts';

/** Made from the texts of the commands and of the errors, which are counted where they are written. */
const GENERATED = ['adapters/cli/README.md', 'src/http/ERRORS.md'];

const sources = ['src', 'adapters', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/generated|vectors\/|node_modules/.test(path))
    .sort()
    .map((path) => ({ path, text: readPage(path) })),
);
const ofCommands = sources.filter(({ path }) => path.startsWith('adapters/cli/commands/'));
const ofProduct = sources.filter(
  ({ path }) => /^(?:src|adapters)\//.test(path) && !/^src\/build\//.test(path),
);

interface Part {
  readonly path: string;
  readonly text: string;
}

function hitsIn(
  parts: readonly Part[],
  read: (text: string) => readonly string[],
  rules: Readonly<Record<string, Rule>> = SENTENCE_RULES,
): string[] {
  return parts.flatMap(({ path, text }) =>
    read(text).flatMap((sentence) => {
      const rule = brokenRule(sentence, rules);
      return rule === undefined ? [] : [`${path}: ${rule}: ${sentence}`];
    }),
  );
}

/** A sentence for each rule. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'The limit is that of the parent.': 'repeat the noun instead of "that of"',
  'What was spent belongs to the agent.': 'find a noun for the subject',
  'Found are the records of the account.': 'begin with the subject',
  'Write a rule of your own first.': 'write "your own rule" instead of "a rule of your own"',
  'The service takes another one then.': 'repeat the noun instead of "one"',
  'Two facts hold: this one; and more.': 'use one semicolon or colon',
  'The service asks anew each time.': 'use a plain word: again, next to, instead of',
  'The agent then goes on with it.': 'write continue, exist, is described',
  'Where the key is old, rotate it.': 'write if instead of where',
  'Report what came of the call.': 'name the thing instead of "what was …"',
  'The hold ends by itself then.': 'write automatically instead of by itself',
  'The guard runs the deed once.': 'use the word of the glossary (src/README.md)',
  'The intent is judged each time.': 'use the active voice',
  'It holds, also when messages fail.': 'write even if, or a new sentence',
  'The key is not valid any more.': 'write no longer',
  'It takes ten requests a minute.': 'write per minute',
  'Two persons must approve it.': 'write people',
  'Nothing is stored without a key.': 'use one negation',
  [`The ${'very '.repeat(30)}long sentence ends.`]: 'write at most 30 words',
};

const written = pages
  .filter((path) => !GENERATED.includes(path))
  .map((path) => ({ path, text: readPage(path) }));
/** Pages for those who have the repository. Their words are not counted. */
const ofRepository = ['test/README.md', 'bench/SIZING.md'].map((path) => ({ path, text: readPage(path) }));
const ofDashboard = sources.filter(({ path }) => path.endsWith('.tsx'));
const api = readOpenApi();
const help = readHelp();
const whole = (text: string): readonly string[] => [text];
const FOUND: Readonly<Record<keyof typeof LIMITS, readonly string[]>> = {
  pages: hitsIn([...written, ...ofRepository], sentencesOfPage),
  docstrings: hitsIn(sources, sentencesOfDocstrings),
  messages: hitsIn(ofProduct, sentencesOfLiterals),
  summaries: hitsIn(ofProduct, (text) => summariesOf(text).flatMap(sentencesOf)),
  help: hitsIn(ofCommands, summariesOf, HELP_RULES),
  groups: hitsIn(help.groups, whole, GROUP_RULES),
  options: hitsIn(help.options, (text) => phrasesOf(text).flatMap(sentencesOf)),
  endpoints: hitsIn(api.summaries, whole, SUMMARY_RULES),
  descriptions: hitsIn(api.descriptions, sentencesOf),
  elements: hitsIn(ofDashboard, (text) => textsOfElements(text).flatMap(sentencesOf)),
};

test.each(Object.entries(LIMITS))('%s break a rule of our style at most %i times', (kind, limit) => {
  const found = FOUND[kind as keyof typeof LIMITS];
  if (found.length <= limit) return;
  // The newest cannot be told from the others: the list has all of them.
  throw new Error(`${found.length} ${kind} break a rule, and ${limit} may:\n${found.join('\n')}`);
});

test('the pages have at most the words that they may have', () => {
  const words = written
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .map(({ text }) =>
      text.replace(/```[\s\S]*?```|^ {4}.*$|<!-- targets -->[\s\S]*<!-- \/targets -->/gm, ''),
    )
    .map((text) => text.split(/\s+/).length);
  expect(words.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(MOST_WORDS);
});

test('no paragraph of a page has more than 400 characters', () => {
  const long = written
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      text
        .replace(/```[\s\S]*?```/g, '')
        .split('\n')
        .filter((line) => line.length > 400 && !/^(?:\||<| {4})/.test(line))
        .map((line) => `${path}: ${line.slice(0, 60)}`),
    );
  expect(long).toEqual([]);
});

test('every kind of text is found', () => {
  expect(written.flatMap(({ text }) => sentencesOfPage(text)).length).toBeGreaterThan(1_000);
  expect(sources.flatMap(({ text }) => sentencesOfDocstrings(text)).length).toBeGreaterThan(5_000);
  expect(ofProduct.flatMap(({ text }) => sentencesOfLiterals(text)).length).toBeGreaterThan(500);
  expect(ofProduct.flatMap(({ text }) => summariesOf(text)).length).toBeGreaterThan(100);
  expect(help.groups.length).toBeGreaterThan(10);
  expect(help.options.length).toBeGreaterThan(200);
  expect(api.summaries.length).toBeGreaterThan(70);
  expect(api.descriptions.length).toBeGreaterThan(400);
  expect(ofDashboard.flatMap(({ text }) => textsOfElements(text)).length).toBeGreaterThan(200);
});

test('each rule finds what it forbids, and leaves a plain sentence', () => {
  for (const [sentence, rule] of Object.entries(EXAMPLES)) {
    expect(brokenRule(sentence, SENTENCE_RULES)).toBe(rule);
  }
  expect(new Set(Object.values(EXAMPLES))).toEqual(new Set(Object.keys(SENTENCE_RULES)));
  expect(brokenRule('The service returns the amount to the budget.', SENTENCE_RULES)).toBeUndefined();
});

test.each([
  ['print the events', GROUP_RULES, 'begin with manage'],
  ['manage keys: all', GROUP_RULES, 'use no colon'],
  ['Lists the keys', SUMMARY_RULES, 'begin with an imperative verb'],
  ['The keys of an account', SUMMARY_RULES, 'begin with an imperative verb'],
  ['create a key', SUMMARY_RULES, 'begin with a capital letter'],
  ['Create a key.', SUMMARY_RULES, 'end without a full stop'],
  ['Create a sign-in link for a member', SUMMARY_RULES, undefined],
  ['manage the members of an account', GROUP_RULES, undefined],
])('%s is checked as a line', (line, rules, rule) => expect(brokenRule(line, rules)).toBe(rule));

test('the texts of elements are read with their values and attributes', () => {
  const page =
    '<p title="Of one key">\n  The key {name} ends {at}. </p> // <b>No text</b>\n const a = b > c;';
  expect(textsOfElements(page)).toEqual(['The key Value ends Value.', 'No text', 'Of one key']);
  expect(phrasesOf('one part; another')).toEqual(['one part', 'another']);
});

test('sentences are read without code, links and headings', () => {
  const page =
    '# A head that of no\n\nThe `that of` is [a link that is](x.md). It ends here as well.\n\n```js\nthat of\n```\n';
  expect(sentencesOfPage(page)).toEqual(['The Code is a link that is.', 'It ends here as well.']);
  expect(sentencesOfDocstrings('/** Returns the sum of all.\n * @param that of */')).toEqual([
    'Returns the sum of all.',
  ]);
  expect(sentencesOfLiterals("throw new E('The name is too long.') // 'A b c d.'")[0]).toBe(
    'The name is too long.',
  );
});
