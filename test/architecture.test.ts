import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { circlesIn } from './architecture/circles.ts';
import { repeatedRuns } from './architecture/duplicates.ts';
import { declaredNames, fileOf, namesOf } from './architecture/names.ts';
import { nodesOf, placeOf, root, type Source, sourcesIn } from './architecture/sources.ts';

const core = sourcesIn('src').filter(({ path }) => !path.startsWith('src/build/'));
const adapters = sourcesIn('adapters');
const outside = sourcesIn('examples', 'bench');
const tests = sourcesIn('test');
const program = [...core, ...adapters];
const everything = [...sourcesIn('src'), ...adapters, ...outside, ...tests];

test('the verdict reaches nothing outside its room, the records and the values of the base', () => {
  const reached = reach('src/verdict/index.ts');
  expect(reached.flatMap(({ imports }) => imports).filter(({ file }) => file === undefined)).toEqual([]);
  const paths = reached.map(({ path }) => path);
  expect(
    paths.filter((path) => !/^src\/(?:verdict\/|base\/values\/|records\b|errors\.ts)/.test(path)),
  ).toEqual([]);
  expect(paths.some((path) => path.startsWith('src/base/values/'))).toBe(true);
});

test('no file imports itself over others, by types neither', () => {
  const sources = [...sourcesIn('src'), ...adapters];
  const imports = new Map(
    sources.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]),
  );
  expect(circlesIn(imports)).toEqual([]);
  const three = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(circlesIn(three)).toEqual(['a -> b -> c -> a']);
});

test('the core names no module of Node', () => {
  const named = core.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => specifier.startsWith('node:'))
      .map(({ specifier }) => `${path} ${specifier}`),
  );
  expect(named).toEqual([]);
});

test('examples and benchmarks know the package only from outside', () => {
  const inner = outside.flatMap(({ path, imports }) =>
    imports
      .filter(({ file }) => /^(src|adapters)\//.test(file ?? ''))
      .map(({ specifier }) => `${path} ${specifier}`),
  );
  expect(inner).toEqual([]);
});

test('benchmarks take nothing from the tests', () => {
  const taken = outside.flatMap(({ path, imports }) =>
    imports.filter(({ file }) => file?.startsWith('test/')).map(({ specifier }) => `${path} ${specifier}`),
  );
  expect(taken).toEqual([]);
});

test('in the core an exported name is declared once', () => {
  const places = new Map<string, string[]>();
  for (const { path, tree } of core.filter(({ path }) => roomOf(path) !== 'testing')) {
    const names = tree.statements.filter(isExported).flatMap(declaredNames);
    for (const name of new Set(names)) places.set(name, [...(places.get(name) ?? []), path]);
  }
  const twice = [...places].filter(([, paths]) => paths.length > 1);
  expect(twice).toEqual([]);
  expect(places.size).toBeGreaterThan(500);
});

test('an example has at most 40 lines', () => {
  const examples = sourcesIn('examples').map(({ path, text }) => ({ path, lines: lineCount(text) }));
  expect(examples.filter(({ lines }) => lines > 40)).toEqual([]);
  expect(examples).not.toEqual([]);
});

test('the median file of the package has at most 98 lines', () => {
  const sorted = program.map(({ text }) => lineCount(text)).sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(98);
});

test('no run of 12 lines stands twice in the package', () => {
  expect(repeatedRuns(program, 12)).toEqual([]);
  const [first] = program.filter(({ text }) => lineCount(text) > 100);
  expect(repeatedRuns([first, first] as Source[], 12)).toHaveLength(1);
});

test('file and folder names are kebab-case', () => {
  const names = everything.flatMap(({ path }) => path.split('/').map((name) => ({ path, name })));
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config|d))?(?:\.m?tsx?|\.mjs)?$/;
  expect(names.filter(({ name }) => !kebab.test(name)).map(({ path }) => path)).toEqual([]);
});

test('nothing is exported by default, and nothing but types by a star', () => {
  const found = everything
    .filter(({ path }) => !path.endsWith('.config.ts'))
    .flatMap((source) =>
      nodesOf(source.tree)
        .filter(isNamelessExport)
        .map((node) => placeOf(source, node)),
    );
  expect(found).toEqual([]);
});

test('nothing is `any`, asserted to be there, or left to do', () => {
  const found = everything.flatMap((source) => [
    ...nodesOf(source.tree)
      .filter((node) => node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node))
      .map((node) => placeOf(source, node)),
    ...source.text
      .split('\n')
      .flatMap((line, index) => (LOOSE_END.test(line) ? [`${source.path}:${index + 1}`] : [])),
  ]);
  expect(found).toEqual([]);
});

/** It refuses a variable with which Claude Code runs no hook, and does not say so. */
const READS_ENVIRONMENT = 'adapters/guards/claude-agent/index.ts';

test('only the command writes to the console and reads the environment', () => {
  const found = program
    .filter(({ path }) => roomOf(path) !== 'adapters/cli' && path !== READS_ENVIRONMENT)
    .flatMap((source) =>
      nodesOf(source.tree)
        .filter(isConsoleOrEnv)
        .map((node) => placeOf(source, node)),
    );
  expect(found).toEqual([]);
});

/** Says whether a statement is a signature of the function that the other implements. */
function isOverload(statement: ts.Statement, other: ts.Statement): boolean {
  return (
    ts.isFunctionDeclaration(statement) &&
    ts.isFunctionDeclaration(other) &&
    statement.body === undefined &&
    statement.name?.text === other.name?.text
  );
}

test('every name of an entry point has a docstring', () => {
  const listed = new Set(
    program
      .filter(({ path }) => ENTRY_POINT.test(path))
      .flatMap((entryPoint) => {
        const passedOn = namesOf(entryPoint, core).filter(({ name }) => /^\w+$/.test(name));
        const own = entryPoint.tree.statements.filter(isExported).flatMap(declaredNames);
        const names = [...passedOn.map(({ name }) => name), ...own];
        return names.map((name) => `${fileOf(name, entryPoint, program)} ${name}`);
      }),
  );
  const silent = program.flatMap((source) =>
    source.tree.statements
      .filter((statement) => isExported(statement) && ts.getJSDocCommentsAndTags(statement).length === 0)
      // The docstring of a function with overloads is that of its first signature.
      .filter((statement) => !source.tree.statements.some((other) => isOverload(other, statement)))
      .filter((statement) => declaredNames(statement).some((name) => listed.has(`${source.path} ${name}`)))
      .map(
        (statement) => `${placeOf(source, statement)} ${statement.getText(source.tree).split('\n', 1)[0]}`,
      ),
  );
  expect(silent).toEqual([]);
  expect([...listed].filter((each) => each.startsWith('undefined '))).toEqual([]);
  expect(listed.size).toBeGreaterThan(500);
});

test('the main entry point lists at most 40 names one by one', () => {
  const names = namesOf(entryPointAt('src/index.ts')).map(({ name }) => name);
  expect(names.length).toBeLessThanOrEqual(40);
  expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
});

test('the entry point of types has every type of the main entry point, and no value', () => {
  const types = namesOf(entryPointAt('src/types.ts'), core);
  expect(types.filter(({ isType }) => !isType)).toEqual([]);
  const missing = namesOf(entryPointAt('src/index.ts')).filter(
    ({ name, isType }) => isType && !types.some((type) => type.name === name),
  );
  expect(missing).toEqual([]);
});

test('every package that is imported is declared, and only the declared kind is used at run time', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shipped = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
    // What stands for one of our own modules.
    ...manifest.imports,
  };
  const used = program.flatMap(({ path, imports }) =>
    imports.flatMap(({ packageName }) => (packageName === undefined ? [] : [{ path, packageName }])),
  );
  // The build puts the packages of the page into its script.
  const bundled = { ...shipped, ...manifest.devDependencies };
  const isFound = ({ path, packageName }: { path: string; packageName: string }): boolean =>
    packageName in (path.startsWith('adapters/dashboard/app/') ? bundled : shipped);
  expect(used.filter((one) => !isFound(one))).toEqual([]);
});

test('a test says how long the storage may take: by default a busy machine is too slow', () => {
  const opened = tests
    .filter(({ path }) => !OF_DEADLINES.test(path))
    .flatMap((source) =>
      nodesOf(source.tree)
        .filter(isHasty)
        .map((node) => placeOf(source, node)),
    );
  expect(opened).toEqual([]);
});

/** What a test that opens a service or a storage on a server must name. */
const DEADLINES: Readonly<Record<string, string>> = {
  createIdentityService: 'storageDeadlineMs',
  postgresStorage: 'timeoutMs',
  redisStorage: 'timeoutMs',
};

/** Tests of options that are refused, and programs that try storages which do not answer. */
const OF_DEADLINES = /^test\/(?:hints|option-names|types|faults|nodes|runtimes)\b/;

/** Says whether it opens a service or, by `await`, a storage, without a deadline; what is expected to throw opens none. */
function isHasty(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const name = node.expression.getText();
  const [options] = node.arguments;
  const deadline = Object.hasOwn(DEADLINES, name) ? DEADLINES[name] : undefined;
  if (deadline === undefined || options === undefined || !ts.isObjectLiteralExpression(options)) return false;
  const isExpected = ts.isArrowFunction(node.parent) && /^expect\b/.test(node.parent.parent.getText());
  const isOpened = name === 'createIdentityService' ? !isExpected : ts.isAwaitExpression(node.parent);
  return (
    isOpened &&
    !nodesOf(options).some((one) => ts.isObjectLiteralElementLike(one) && one.name?.getText() === deadline)
  );
}

/** Written so that it does not find itself. */
const LOOSE_END = /\b(?:TO(?:DO)|FIX(?:ME))\b|@ts-(?:ignore|expect-error)/;

const ENTRY_POINT =
  /^(?:src|adapters)\/(?:(?:index|client|types|capabilities)|(?:[\w-]+\/)+(?:index|entry-point|binding|arbitraries))\.ts$/;

function entryPointAt(path: string): Source {
  const entryPoint = core.find((source) => source.path === path);
  if (entryPoint === undefined) throw new Error(`${path} is not there.`);
  return entryPoint;
}

function roomOf(path: string): string {
  const [top = '', second = '', third = '', fourth] = path.replace(/\.\w+$/, '').split('/');
  if (top === 'adapters') {
    return ['guards', 'storage'].includes(second) ? `${top}/${second}/${third}` : `${top}/${second}`;
  }
  if (second === 'service' && fourth !== undefined) return `${second}/${third}`;
  return second === 'errors' ? 'records' : second;
}

function reach(path: string, seen: Set<string> = new Set()): Source[] {
  const source = core.find((candidate) => candidate.path === path);
  if (source === undefined || seen.has(path)) return [];
  seen.add(path);
  return [source, ...source.imports.flatMap(({ file }) => (file === undefined ? [] : reach(file, seen)))];
}

function isNamelessExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword)
    return !ts.isDefaultClause(node);
  return (
    ts.isExportDeclaration(node) &&
    !(node.isTypeOnly && node.exportClause === undefined) &&
    (node.exportClause === undefined || !ts.isNamedExports(node.exportClause))
  );
}

function isConsoleOrEnv(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return false;
  const { text } = node.expression;
  return text === 'console' || (text === 'process' && node.name.text === 'env');
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length;
}
