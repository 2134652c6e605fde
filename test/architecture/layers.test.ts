import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type Import, type Source, sourcesIn } from './sources.ts';

/** The folders and single files of `src`, by the layer from which higher ones may take values. */
const LAYERS = [
  'errors records',
  'base',
  'ports operations schema',
  'platform',
  'json credential journal-format transparency-log verdict',
  'tokens guard metrics ocsf',
  'core',
  'access-tokens analytics authzen domains erasure events evidence people verifiers webhooks replay http client',
  'identity verifier',
  'capabilities',
  'index types testing',
].map((folders) => folders.split(' '));

/** The files of a capability or a room that are data, which every layer may import. */
const DATA = /^src\/(?:core\/)?\w[\w-]*\/(?:operations|collections|schema)\.ts$/;

/** The packages that a folder may import; `node:` stands for the modules of Node. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'src/credential': ['@noble/hashes', 'jose'],
  'src/platform': ['@noble/hashes'],
  'src/tokens': ['#safe-fetch'],
  'src/core': ['lru-cache'],
  'src/testing': ['fast-check'],
  'adapters/cli': ['node:', 'commander', 'express', 'openid-client', 'yaml'],
  'adapters/mcp-server': ['@modelcontextprotocol/server'],
  'adapters/dashboard': ['node:', 'preact', '@preact/signals'],
  'adapters/node': ['node:'],
  'adapters/express': ['node:', 'express'],
  'adapters/guards/langchain': ['langchain'],
  'adapters/oidc': ['openid-client'],
  'adapters/otel': ['@opentelemetry/api'],
  'adapters/storage/redis': ['node:', 'keyv', '@keyv/redis'],
  'adapters/storage/sql': ['node:', 'kysely', 'libsql', 'pg'],
};

/** The files of `src` that adapters may import: the entry points of the package. */
const ENTRY_POINTS: readonly string[] = Object.values<{ types?: string }>(manifest.exports as never).map(
  ({ types = '' }) => types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, '$1.ts'),
);

/** The folders of data for people, from which the pages and the commands follow. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  'adapters/cli': /^src\/(?:schema\/|operations\/|(?:[\w-]+\/)+operations\.ts$)/,
  'adapters/dashboard': /^src\/schema\//,
};

const inside = sourcesIn('src').filter(({ path }) => !path.startsWith('src/build/'));
const adapters = sourcesIn('adapters');

test('takes values from its own folder and from lower layers only', () => {
  expect(refused(inside, isAllowed)).toEqual([]);
});

test('has a layer for every folder, and lists no folder that is gone', () => {
  const folders = new Set(inside.map(({ path }) => folderOf(path)));
  expect([...folders].sort()).toEqual(LAYERS.flat().sort());
});

test('imports no package that its folder does not name', () => {
  const isNamed = (path: string, { file, packageName = 'node:' }: Import): boolean =>
    file !== undefined || (PACKAGES[homeOf(path)]?.includes(packageName) ?? false);
  expect(refused([...inside, ...adapters], isNamed)).toEqual([]);
});

test('lets adapters import entry points, and only the command combine them', () => {
  expect(refused(adapters, (path, { file }) => file === undefined || mayAdapt(path, file))).toEqual([]);
});

function refused(sources: readonly Source[], may: (path: string, one: Import) => boolean): readonly string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((one) => !may(path, one)).map(({ specifier }) => `${path} imports ${specifier}`),
  );
}

function isAllowed(path: string, { file, isType }: Import): boolean {
  if (file === undefined || isType || DATA.test(file)) return true;
  const [own, other] = [folderOf(path), folderOf(file)];
  if (own === 'client' && other === 'core') return false;
  return own === other || layerOf(other) < layerOf(own);
}

function layerOf(folder: string): number {
  const layer = LAYERS.findIndex((folders) => folders.includes(folder));
  return layer === -1 ? Number.NaN : layer;
}

function folderOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.\w+$/, '');
}

/** Returns `adapters/storage/sql` of a file in it, and `src/json` of one of the core. */
function homeOf(path: string): string {
  const parts = path.split('/');
  const hasGroup = parts[0] === 'adapters' && ['guards', 'storage'].includes(parts[1] ?? '');
  return parts.slice(0, hasGroup ? 3 : 2).join('/');
}

function mayAdapt(path: string, file: string): boolean {
  if (homeOf(path) === homeOf(file)) return true;
  if (file.startsWith('adapters/')) return homeOf(path) === 'adapters/cli';
  return ENTRY_POINTS.includes(file) || (SHOWN[homeOf(path)]?.test(file) ?? false);
}

test('finds a value from a higher layer and from another capability', () => {
  const from = (file: string): Import => ({ specifier: file, file, packageName: undefined, isType: false });
  expect(isAllowed('src/verdict/rules.ts', from('src/core/options.ts'))).toBe(false);
  expect(isAllowed('src/webhooks/a.ts', from('src/replay/b.ts'))).toBe(false);
  expect(isAllowed('src/core/a.ts', from('src/webhooks/operations.ts'))).toBe(true);
  expect(isAllowed('src/client/a.ts', from('src/core/options.ts'))).toBe(false);
});
