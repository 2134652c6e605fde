import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { REQUEST_FOLDERS, requestSchemas } from '../src/schema/requests.ts';
import { linksOf, pages } from './readme/pages.ts';
import { installPacked } from './support/packed.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly url: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(read('package.json'));
const { name } = manifest;
const entryPoints = Object.entries(manifest.exports).filter(
  ([entryPoint]) => entryPoint !== './package.json',
);
const specifiers = entryPoints.map(([entryPoint]) => entryPoint.replace(/^\./, name));

const promised = [
  '.',
  './access-tokens',
  './analytics',
  './authzen',
  './capabilities',
  './client',
  './dashboard',
  './domains',
  './erasure',
  './events',
  './evidence',
  './express',
  './guard',
  './guard/ai-sdk',
  './guard/claude-agent',
  './guard/langchain',
  './guard/mcp',
  './guard/openai-agents',
  './http',
  './http/binding',
  './identity',
  './journal',
  './log',
  './metrics',
  './node',
  './ocsf',
  './oidc',
  './otel',
  './people',
  './proof',
  './replay',
  './storage',
  './storage/memory',
  './storage/redis',
  './storage/sql',
  './testing',
  './testing/arbitraries',
  './tokens',
  './types',
  './verdict',
  './verdict/compare',
  './verifier',
  './verifiers',
  './webhooks',
];

test('exports the entry points of the contract, each with its code and its types', () => {
  expect(entryPoints.map(([entryPoint]) => entryPoint).sort()).toEqual(promised);
  const files = entryPoints.flatMap(([, target]) => Object.values(target));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('the types are a file for each module, as tsc writes them, and each import of one is there', () => {
  const types = filesIn('dist').filter((path) => path.endsWith('.d.ts'));
  const sources = types.map((path) => path.replace('dist/types/', '').replace(/\.d\.ts$/, '.ts'));
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const imported = types.flatMap((path) =>
    [...read(path).matchAll(/^(?:import|export)\b[^'"]*['"](\.[^'"]+)['"]/gm)].map(([, file = '']) =>
      posix.join(posix.dirname(path), file),
    ),
  );
  expect(imported.filter((path) => !types.includes(path.replace(/\.js$/, '.d.ts')))).toEqual([]);
  expect(imported.length).toBeGreaterThan(500);
});

test('gives the same names for every entry point, imported or required', async () => {
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire(process.cwd() + '/');
    const names = (module) => Object.keys(module).filter((name) => name !== '__esModule').sort().join(' ');
    for (const entryPoint of ${JSON.stringify(specifiers)}) {
      console.log([entryPoint, names(await import(entryPoint)), names(require(entryPoint))].join('|'));
    }`;
  const { stdout } = await node(['--input-type=module', '--eval', script]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('|'));
  expect(rows.map(([entryPoint]) => entryPoint)).toEqual(specifiers);
  expect(rows.filter(([, imported, required]) => imported !== required)).toEqual([]);
  const empty = rows.filter(([, imported]) => imported === '').map(([entryPoint]) => entryPoint);
  expect(empty).toEqual([`${name}/types`]);
});

test('./verdict needs nothing: no package, no module of Node', () => {
  expect(reach('dist/verdict.js')).toEqual({ outside: [], later: [] });
});

test('the core needs no module of Node, and only the packages that are dependencies', () => {
  const { outside, later } = reach('dist/index.js');
  expect(later).toContain('@noble/hashes/scrypt.js');
  const packages = [...outside, ...later].map((id) =>
    id
      .split('/')
      .slice(0, id.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  expect(packages.filter((id) => !(id in manifest.dependencies))).toEqual([]);
});

test('a service without sessions loads two packages, and no file of jose', () => {
  const { outside } = reach('dist/index.js');
  expect(outside.filter((id) => !id.startsWith('@noble/hashes/'))).toEqual(['lru-cache']);
});

test('the command loads an engine only when it opens it', () => {
  // Its program is loaded once the version of Node is known to be supported.
  const [, program = ''] = /import\('\.\/(chunks\/program[^']*)'\)/.exec(read('dist/cli.js')) ?? [];
  expect(reach('dist/cli.js').outside).toEqual([]);
  const { outside } = reach(`dist/${program}`);
  expect(outside).toContain('commander');
  expect(outside.filter((id) => /^(kysely|keyv|@keyv\/redis|pg|libsql|jose)/.test(id))).toEqual([]);
});

test('the core compiles without the types of Node', async () => {
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { stdout } = await node([tsc, '-p', 'src', '--noEmit']).catch((failure) => failure);
  expect(stdout).toBe('');
});

test('the compiled validators of each folder are those of the schemas', async () => {
  const compiler = new URL('../src/build/compile-validators.mjs', import.meta.url).href;
  const { compileValidators } = await import(compiler);
  for (const [folder, text] of Object.entries(compileValidators(requestSchemas, REQUEST_FOLDERS)))
    expect(text).toBe(read(`src/${folder}/validators.generated.ts`));
});

test('the service runs where code must not be made from text', async () => {
  const { stdout } = await node(['--disallow-code-generation-from-strings', 'examples/in-process.mjs']);
  expect(stdout).toContain('ALLOW');
});

/** What is in the package besides the code: pages, what they show and lead to, and the examples. */
const SHIPPED =
  /^(package\.json|LICENSE|llms\.txt|[A-Z]+\.md|(src|adapters|bench|examples)\/(.+\/)?README\.md|adapters\/storage\/FENCING\.md|src\/journal-format\/FORMAT\.md|src\/http\/ERRORS\.md|adapters\/dashboard\/[\w-]+\.png|bench\/(chart\.svg|results\.json|SIZING\.md)|src\/tokens\/(?:proof\/)?vectors\/(?:passports|permits|proofs|tokens)\.json|src\/identity\/vectors\/[\w-]+\.json|examples\/[\w-]+\.mjs|examples\/operate\/[\w.-]+)$/;

test('what npm would publish holds all that it needs, and none of our sources', async () => {
  const { folder, files, size } = await installPacked(Object.keys(manifest.dependencies));
  expect(files.filter((path) => path.includes('/.'))).toEqual([]);
  const others = files.filter((path) => !path.startsWith('dist/'));
  expect(others.filter((path) => !SHIPPED.test(path))).toEqual([]);

  expect(size).toBeLessThanOrEqual(1_500_000);

  // A page of the package leads to nothing that is not in it.
  expect(pages.filter((page) => !others.includes(page))).toEqual([]);
  const links = pages.flatMap(linksOf);
  expect(links.filter(({ path }) => !others.includes(path))).toEqual([]);

  await cp(join(root, 'examples/in-process.mjs'), join(folder, 'in-process.mjs'));
  expect((await node(['in-process.mjs'], folder)).stdout).toContain('ALLOW');
  const command = join(folder, 'node_modules', name, manifest.bin['agent-identity'] ?? '');
  expect((await node([command, '--help'], folder)).stdout).toContain('agent-identity');
});

test('the storage contract runs where fast-check is not installed', async () => {
  const { folder } = await installPacked(Object.keys(manifest.dependencies));
  const script = `
    import { memoryStorage } from '${name}/storage/memory';
    import { storageContract } from '${name}/testing';
    const [first] = storageContract(async () => memoryStorage());
    await first.run();
    console.log('proved');
    await import('${name}/testing/arbitraries').catch(({ code }) => console.log(code));`;
  const { stdout } = await node(['--input-type=module', '--eval', script], folder);
  expect(stdout).toBe('proved\nERR_MODULE_NOT_FOUND\n');
});

test('where the project will be found is not known yet, and says so', () => {
  const { homepage, bugs, repository } = manifest;
  for (const address of [homepage, bugs, repository.url]) {
    expect(address).toMatch(/^(git\+)?https:\/\/placeholder\.invalid\/.*no-address-yet/);
  }
});

test('every version is exact', () => {
  const versions = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  expect(Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

async function node(args: readonly string[], cwd: string = root): Promise<{ stdout: string }> {
  return run(process.execPath, [...args], { cwd, env: { ...process.env, NODE_NO_WARNINGS: '1' } });
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}

const STATIC = /^(?:import|export)\b[^'"]*?(?:from )?['"]([^'"]+)['"];?$/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

/** What the files that a file of dist leads to import from elsewhere, at once and later. */
function reach(path: string, seen: Set<string> = new Set()): { outside: string[]; later: string[] } {
  seen.add(path);
  const text = read(path);
  const idsBy = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id = '']) => id);
  const outside = idsBy(STATIC).filter((id) => !id.startsWith('.'));
  const later = idsBy(DYNAMIC).filter((id) => !id.startsWith('.'));
  const inside = idsBy(STATIC).filter((id) => id.startsWith('.'));
  const further = inside
    .map((id) => join(dirname(path), id))
    .filter((id) => !seen.has(id))
    .map((id) => reach(id, seen));
  return {
    outside: [...new Set([...outside, ...further.flatMap((next) => next.outside)])],
    later: [...new Set([...later, ...further.flatMap((next) => next.later)])],
  };
}

test.each(['delete', 'throw'])('verdicts are the same where __proto__ is forbidden: %s', async (how) => {
  const script = `
    import { decide } from '${name}/verdict';
    const passport = { agent_id: 'a', status: 'active', allowed_actions: ['pay'], monetary_limit_per_txn: 5 };
    const own = { agent_id: 'a', action: 'pay' };
    const heir = Object.assign(Object.create({ action: 'pay' }), { agent_id: 'a' });
    for (const intent of [own, heir]) console.log(decide({ passport, intent, at: 0 }).verdict);`;
  const flags = [`--disable-proto=${how}`, '--input-type=module', '--eval', script];
  const { stdout } = await run(process.execPath, flags, { cwd: root });
  expect(stdout).toBe('ALLOW\nDENY\n');
});
