/** Checks the subjects of commits: `type(scope): verb and object`, at most 72 characters, no semicolon. */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const MOST_CHARACTERS = 72;
/** How many commits are looked at when nothing says which are new. */
const NEWEST = 50;
/** A commit without this file is older than the check. */
const SINCE = 'test/words/commits.mjs';
const FORM =
  /^(?:bench|build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./, -]+\))?!?: (\S+) \S/;
const NO_VERB =
  /^(?:a|an|the|what|no|each|every|one|where|few|when|it|its|both|some|more|of|in|nothing|who|all|this|that|these|two)$/i;
/** The third person, a participle, or a gerund. */
const INFLECTED = /(?:[^s]s|[^e]ed|ing)$/;
const IMPERATIVES = [
  'bring',
  'alias',
  'bias',
  'bless',
  'focus',
  'shed',
  'embed',
  'bed',
  'wed',
  'string',
  'ring',
  'sing',
  'fling',
];

/** Returns why a subject is refused; undefined for a good one. */
export function refusalOf(subject) {
  if (subject.length > MOST_CHARACTERS)
    return `has ${subject.length} characters, at most ${MOST_CHARACTERS} may be`;
  if (subject.includes(';')) return 'has a semicolon: make two commits';
  const [, verb] = FORM.exec(subject) ?? [];
  if (verb === undefined) return 'is not of the form type(scope): verb object';
  if (NO_VERB.test(verb)) return `begins with "${verb}": begin with a verb`;
  if (INFLECTED.test(verb) && !IMPERATIVES.includes(verb)) return `begins with "${verb}": use the imperative`;
  return undefined;
}

/** Returns the lines about commits with a subject that is refused. Throws if git cannot read the history. */
export function check(folder) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const succeeds = (...args) => {
    try {
      return git(...args).trim() !== '';
    } catch {
      return false;
    }
  };
  // Without a remote the last landing is not known.
  const isKnown = succeeds('rev-parse', '--verify', '--quiet', 'origin/HEAD');
  const range = isKnown ? ['origin/HEAD..HEAD'] : [`--max-count=${NEWEST}`, 'HEAD'];
  const commits = git('log', '--no-merges', '--format=%h %s', ...range)
    .split('\n')
    .filter(Boolean);
  return commits
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
    .filter(([hash]) => succeeds('ls-tree', hash, '--', SINCE))
    .flatMap(([hash, subject]) => {
      const why = refusalOf(subject);
      return why === undefined ? [] : [`${hash} ${why}: ${subject}`];
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const refused = check(process.cwd());
  for (const line of refused) console.log(line);
  process.exitCode = refused.length === 0 ? 0 : 1;
}
