/** What a room may import besides itself: rooms, single files, packages, and Node where `node:` stands. */
export interface Room {
  readonly rooms?: readonly string[];
  readonly files?: readonly string[];
  readonly packages?: readonly string[];
}

const DOORS = [
  ...['blocks/index', 'client', 'guard/index', 'http/index', 'index'],
  ...['ports/index', 'testing/index', 'types', 'verdict/index'],
].map((name) => `src/${name}.ts`);
/** All that an adapter of a storage may know: what ours can do, another author's can. */
const STORAGE_DOORS = ['src/ports/index.ts', 'src/blocks/index.ts'];
/** What every room of the core may use. */
const COMMON = ['records', 'base', 'ports'];
/** The rooms of the service: each has one owner of data, but for the first two, which all of them use. */
const SERVICE = [
  'shared',
  'storage',
  'passports',
  'keys',
  'accounts',
  'verification',
  'journal',
  'insight',
].map((name) => `service/${name}`);
const SHARED = [...COMMON, 'schema', 'credential', 'service/shared', 'service/storage'];

/** Who may import whom. A room that is not in the table may import nothing. */
export const ROOMS: Readonly<Record<string, Room>> = {
  records: {},
  base: { rooms: ['records'] },
  ports: { rooms: ['records', 'base'] },
  platform: { rooms: COMMON, packages: ['@noble/hashes'] },
  verdict: { rooms: ['records', 'base'] },
  blocks: { rooms: COMMON },
  credential: { rooms: [...COMMON, 'platform'], packages: ['@noble/hashes', 'jose'] },
  schema: { rooms: ['records', 'base'] },
  service: { rooms: [...COMMON, 'platform', 'verdict', 'blocks', 'credential', 'schema', ...SERVICE] },
  'service/shared': {
    rooms: [...COMMON, 'platform', 'credential', 'service/storage'],
    files: ['src/service/options.ts', 'src/service/accounts/passwords.ts'],
  },
  'service/storage': {
    rooms: [...COMMON, 'verdict', 'credential', 'service/shared'],
    files: ['src/service/options.ts'],
    packages: ['lru-cache'],
  },
  'service/passports': { rooms: SHARED },
  'service/keys': { rooms: SHARED },
  'service/accounts': { rooms: [...SHARED, 'platform'], files: ['src/service/keys/keys.ts'] },
  'service/verification': { rooms: [...SHARED, 'verdict'], files: ['src/service/journal/journal.ts'] },
  'service/journal': { rooms: [...SHARED, 'blocks'], files: ['src/service/options.ts'] },
  'service/insight': {
    rooms: [...SHARED, 'blocks', 'service/journal'],
    files: ['src/service/passports/passport-record.ts'],
  },
  http: { rooms: [...COMMON, 'platform', 'schema', 'service'], files: ['src/credential/random-id.ts'] },
  client: { rooms: COMMON, files: ['src/service/index.ts'] },
  guard: { rooms: ['records', 'base'] },
  testing: { rooms: COMMON, files: DOORS, packages: ['fast-check'] },
  index: { rooms: [...COMMON, 'verdict', 'service', 'client'] },
  types: { rooms: [...COMMON, 'verdict', 'service', 'client'] },
  build: { rooms: ['schema'], packages: ['node:', 'ajv'] },
  'adapters/storage/memory': { files: STORAGE_DOORS },
  'adapters/storage/redis': { files: STORAGE_DOORS, packages: ['node:', 'keyv', '@keyv/redis'] },
  'adapters/storage/sql': { files: STORAGE_DOORS, packages: ['node:', 'kysely', 'libsql', 'pg'] },
  'adapters/express': { files: DOORS, packages: ['node:', 'express'] },
  'adapters/guards/ai-sdk': { files: DOORS },
  'adapters/guards/mcp': { files: DOORS },
  'adapters/dashboard': { files: DOORS, packages: ['node:'] },
  'adapters/cli': { files: DOORS, packages: ['node:', 'commander', 'express'] },
};
