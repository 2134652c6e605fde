/**
 * `npm run test:mutation [-- <groups and files>]`: tries every mutant of what is mutated (`groups.mjs`), and holds
 * those that survive against the list of `survivors/`. Fails for a survivor that is not in it, for an entry that no
 * longer survives, and below 95 %. An option of Stryker is one word: `--concurrency=1`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups } from './groups.mjs';
import { survivors } from './survivors/index.mjs';

const LEAST_PERCENT = 95;
const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage', 'RuntimeError'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const report = join(root, '.build/mutation/report.json');
const stryker = join(
  dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--'));
const wanted = args
  .filter((arg) => !arg.startsWith('--'))
  .flatMap((arg) => groups.find(({ name }) => name === arg)?.files ?? [arg]);
const unknown = wanted.filter((path) => !groups.some(({ files }) => files.includes(path)));
if (unknown.length > 0) {
  console.error(`No group and no file that is mutated: ${unknown.join(', ')}. See test/mutation/groups.mjs.`);
  process.exit(2);
}

const byFile = {};
for (const { name, files, tests } of groups) {
  const mutated = wanted.length === 0 ? files : files.filter((path) => wanted.includes(path));
  if (mutated.length === 0) continue;
  console.log(`\n${name}: ${mutated.join(' ')}`);
  Object.assign(byFile, mutate(mutated, tests));
}
const found = readReport(byFile);
const listed = survivors.flatMap(({ file, line, mutated }) => mutated.map((now) => keyOf(file, line, now)));
const alive = new Set(found.survivors.map(({ key }) => key));
const unlisted = found.survivors.filter(({ key }) => !listed.includes(key));
const stale = survivors.filter(
  ({ file, line, mutated }) =>
    found.files.includes(file) && mutated.some((now) => !alive.has(keyOf(file, line, now))),
);
const percent = (100 * found.killed) / found.total;

for (const { where, line, mutated } of unlisted) console.error(`Survived: ${where}\n  ${line}\n  ${mutated}`);
for (const { file, line, mutated } of stale) {
  for (const now of mutated) {
    if (!alive.has(keyOf(file, line, now)))
      console.error(`Listed, but does not survive: ${file}\n  ${line}\n  ${now}`);
  }
}
console.log(
  `${found.killed} of ${found.total} mutants killed (${percent.toFixed(2)} %), ${found.survivors.length} survived, ` +
    `${unlisted.length} of them without a reason, ${stale.length} entries of the list stale.`,
);
if (unlisted.length > 0 || stale.length > 0 || percent < LEAST_PERCENT) process.exitCode = 1;

/** Tries the mutants of these files by these tests; what became of them, by file. */
function mutate(files, tests) {
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', 'test/mutation/stryker.config.json', '--mutate', files.join(), ...options],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_TESTS: tests.join(' '), MUTATED_FILES: files.join(' ') },
    },
  );
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(report, 'utf8')).files;
}

/** What became of the mutants; one on which the tests could not be run counts as a survivor. */
function readReport(byFile) {
  const counted = Object.entries(byFile).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => KILLED.includes(status) || ALIVE.includes(status))
      .map((mutant) => ({ ...mutant, file, lines: source.split('\n') })),
  );
  const alive = counted.filter(({ status }) => ALIVE.includes(status));
  return {
    files: Object.keys(byFile),
    total: counted.length,
    killed: counted.length - alive.length,
    survivors: alive.map(describeMutant),
  };
}

/** A mutant by its line before and after the mutation, which stays the same when the line moves. */
function describeMutant({ file, lines, location: { start, end }, replacement }) {
  const text = lines[start.line - 1];
  const rest = lines[end.line - 1].slice(end.column - 1);
  const line = text.trim();
  const mutated = oneLine(text.slice(0, start.column - 1) + replacement + rest);
  return { where: `${file}:${start.line}`, line, mutated, key: keyOf(file, line, mutated) };
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

function keyOf(file, line, mutated) {
  return JSON.stringify([file, line, mutated]);
}
