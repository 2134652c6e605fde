import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { allMigrations } from '../../adapters/storage/sql/migrations.ts';
import { openSqliteStorage } from '../../adapters/storage/sql/sqlite/open.ts';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder, snapshot } from '../support/process.ts';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(() => remove());

interface Refusal {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the line says. */
  readonly says: RegExp;
  /** What must not be in it. */
  readonly hides?: string;
  readonly prepare?: (path: string) => void;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  'an unknown flag': { args: ['--prot', '1'], says: /unknown option '--prot'.*--port/ },
  'an unknown flag with a value': {
    args: ['--password=hunter2hunter2'],
    says: /unknown option '--password'/,
    hides: 'hunter2',
  },
  'a word too many': { args: ['now'], says: /too many arguments/ },
  'a port that is no number': { args: ['--port', '80a'], says: /port.*0 to 65535/ },
  'a port that is too large': { env: { PORT: '65536' }, says: /PORT.*0 to 65535/ },
  'an address that is not ours': { args: ['--port', '0', '--host', '192.0.2.1'], says: /--host/ },
  'an address that is empty, which would be every address': {
    args: ['--port', '0', '--host', ''],
    says: /--host.*such as 127\.0\.0\.1/,
  },
  'a public URL that is not a URL': {
    args: ['--port', '0', '--public-url', 'id.example.com'],
    says: /AGENT_IDENTITY_PUBLIC_URL or --public-url must be an http or https URL/,
  },
  'a public URL with a password': {
    env: { PORT: '0', AGENT_IDENTITY_PUBLIC_URL: 'https://ann:hunter2@id.example.com/api' },
    says: /AGENT_IDENTITY_PUBLIC_URL or --public-url must be .* without credentials/,
    hides: 'hunter2',
  },
  'a domain of AuthZEN that is not a domain': {
    args: ['--port', '0', '--authzen', '--authzen-agent-domain', 'Example'],
    says: /--authzen-agent-domain must be a domain/,
  },
  'an unknown storage URL': {
    args: ['--storage', 'mysql://root:hunter2@db/x'],
    says: /storage URL/,
    hides: 'hunter2',
  },
  'a sqlite URL with parameters': {
    args: ['--storage', 'sqlite:./agents.db?prefix=a'],
    says: /A sqlite URL has no parameters/,
  },
  'a sqlite URL with two slashes': {
    args: ['--storage', 'sqlite://agents.db', '--port', '0'],
    says: /A sqlite URL is sqlite:<path>/,
  },
  'a sqlite path that ends with a line feed': {
    args: ['--storage', 'sqlite:./agents.db\n', '--port', '0'],
    says: /has a line feed/,
  },
  'a sqlite path in the environment that ends with a line feed': {
    args: ['--port', '0'],
    env: { AGENT_IDENTITY_STORAGE: 'sqlite:agents.db\n' },
    says: /has a line feed/,
  },
  'a Redis URL with parameters': {
    args: ['--port', '0'],
    env: {
      AGENT_IDENTITY_STORAGE: 'redis://:hunter2@cache?prefix=a',
      AGENT_IDENTITY_SECRET: 'dRo6ynMUYDWDkQ4VVcXF5FQn1zUJJdJbjDuGFVwNeEk',
    },
    says: /A Redis URL has no parameters/,
    hides: 'hunter2',
  },
  'a storage without a scheme': { args: ['--storage', './agents.db'], says: /sqlite:<file>/ },
  'a malformed Redis URL': {
    args: ['--port', '0'],
    env: {
      AGENT_IDENTITY_STORAGE: 'redis://:hun#ter2@cache',
      AGENT_IDENTITY_SECRET: 'dRo6ynMUYDWDkQ4VVcXF5FQn1zUJJdJbjDuGFVwNeEk',
    },
    says: /Redis URL cannot be read/,
    hides: 'ter2',
  },
  'a Redis without a secret': {
    env: { AGENT_IDENTITY_STORAGE: 'redis://:hunter2@127.0.0.1:1' },
    says: /AGENT_IDENTITY_SECRET/,
    hides: 'hunter2',
  },
  'a statement about another storage than Redis': {
    args: ['--port', '0', '--storage', 'memory:', '--durability', 'stated'],
    says: /--durability stated is for redis/,
  },
  'a storage that forgets, where a durable one is required': {
    args: ['--port', '0', '--storage', 'memory:', '--durability', 'required'],
    says: /--durability required: All data is lost/,
  },
  'a storage on the network without a secret': {
    env: { AGENT_IDENTITY_STORAGE: 'postgres://root:hunter2@127.0.0.1:1/x' },
    says: /AGENT_IDENTITY_SECRET/,
    hides: 'hunter2',
  },
  'a malformed PostgreSQL URL': {
    args: ['--port', '0'],
    env: {
      AGENT_IDENTITY_STORAGE: 'postgres://root:hun#ter2@db/x',
      AGENT_IDENTITY_SECRET: 'dRo6ynMUYDWDkQ4VVcXF5FQn1zUJJdJbjDuGFVwNeEk',
    },
    says: /PostgreSQL URL cannot be read/,
    hides: 'ter2',
  },
  'a weak secret': { env: { AGENT_IDENTITY_SECRET: 'short' }, says: /fewer than 32 bytes/ },
  'a known secret': {
    env: { AGENT_IDENTITY_SECRET: 'your-256-bit-secret-your-256-bit-secret' },
    says: /known from examples/,
    hides: 'your-256',
  },
  'a weak secret in a file': {
    args: ['--secret-file', 'weak'],
    prepare: (path) => writeFileSync(join(path, 'weak'), 'a'.repeat(64)),
    says: /repeats one short piece/,
  },
  'a weak secret beside the database': {
    prepare: (path) => writeFileSync(join(path, 'agent-identity.db.secret'), ''),
    says: /fewer than 32 bytes/,
  },
  'a secret file that is not there': { args: ['--secret-file', 'nowhere'], says: /nowhere.*ENOENT/ },
  'a weak password': { env: { AGENT_IDENTITY_PASSWORD: 'hunter2' }, says: /fewer than 12/, hides: 'hunter2' },
  'a malformed e-mail': { env: { AGENT_IDENTITY_EMAIL: 'nobody' }, says: /AGENT_IDENTITY_EMAIL/ },
  'a clock vouched for before a storage that has one': {
    args: ['--port', '0', '--clock-ok'],
    env: {
      AGENT_IDENTITY_STORAGE: 'redis://:hunter2@cache',
      AGENT_IDENTITY_SECRET: 'dRo6ynMUYDWDkQ4VVcXF5FQn1zUJJdJbjDuGFVwNeEk',
    },
    says: /--clock-ok is for a sqlite database/,
    hides: 'hunter2',
  },
  'rate limits off on an open host': {
    args: ['--rate-limits', 'off', '--host', '0.0.0.0'],
    says: /loopback/,
  },
  'an unknown mode': { args: ['--registration', 'maybe'], says: /open, closed/ },
  'an unknown consistency': { env: { AGENT_IDENTITY_CONSISTENCY: 'weak' }, says: /default, strict/ },
  'an unknown journal': { env: { AGENT_IDENTITY_JOURNAL: 'stict' }, says: /batched, strict/ },
  'a retention of no day': { args: ['--retention-days', '0'], says: /retention-days.*1 to 36500/ },
  'a retention that is no number': {
    env: { AGENT_IDENTITY_RETENTION_DAYS: '90d' },
    says: /AGENT_IDENTITY_RETENTION_DAYS.*1 to 36500/,
  },
  'an unknown log format': { args: ['--log', 'xml'], says: /text, json/ },
  'a plan that there is not': { args: ['--default-plan', 'gold'], says: /starter, team, enterprise/ },
  'a storage timeout of 50 ms': { args: ['--storage-timeout', '50'], says: /storage-timeout.*100 to 60000/ },
  'proxies that are no number': { args: ['--trust-proxy', 'yes'], says: /0 to 32/ },
  'too many proxies': { env: { AGENT_IDENTITY_TRUST_PROXY: '33' }, says: /0 to 32/ },
  'a folder that is not there': {
    args: ['--storage', 'sqlite:./no/such.db', '--port', '0'],
    says: /no folder/,
  },
  'a folder as database': {
    args: ['--storage', 'sqlite:./dir', '--port', '0'],
    prepare: (path) => mkdirSync(join(path, 'dir')),
    says: /It is a folder/,
  },
  'a file that is no database': {
    args: ['--storage', 'sqlite:./notes.txt', '--port', '0'],
    prepare: (path) => writeFileSync(join(path, 'notes.txt'), 'milk, bread, '.repeat(400)),
    says: /notes\.txt cannot be used/,
  },
};

describe('serve stops with one line, exit code 2 and nothing made for', () => {
  test.each(Object.entries(REFUSALS))('%s', async (_name, { args = [], env = {}, says, hides, prepare }) => {
    prepare?.(folder);
    const before = snapshot(folder);
    const ended = await run(['serve', ...args], { cwd: folder, env });
    expectRefusal(ended, says);
    if (hides !== undefined) expect(ended.stderr).not.toContain(hides);
    expect(snapshot(folder)).toEqual(before);
  });

  test('a sqlite URL with two slashes, in the root of the file system as well', async () => {
    await run(['migrate', '--storage', 'sqlite://agents.db'], { cwd: folder });
    await run(['account', 'create', 'ann@example.com', '--storage', 'sqlite://agents.db'], { cwd: folder });
    expect(existsSync('/agents.db')).toBe(false);
    expect(snapshot(folder)).toEqual({});
  });

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await run(['serve', '--port', `${port}`], { cwd: folder });
    other.close();
    expectRefusal(ended, new RegExp(`Port ${port} .*in use`));
    expect(snapshot(folder)).toEqual({});
  });

  test('a database of a newer version, which stays as it is, byte for byte', async () => {
    const file = join(folder, 'agents.db');
    const newer = await openSqliteStorage({ file }, [
      ...allMigrations,
      {
        additive: false,
        run: async (kysely) => {
          await sql`create table ais_future (id text)`.execute(kysely);
        },
      },
    ]);
    await newer.close();
    const before = snapshot(folder);
    const ended = await run(['serve', '--storage', 'sqlite:agents.db', '--port', '0'], {
      cwd: folder,
      env: GIVEN,
    });
    expectRefusal(ended, /passport export/);
    // What looks at a database may remove its empty log.
    const after = snapshot(folder);
    expect(after['agents.db']).toBe(before['agents.db']);
    expect(before).toMatchObject(after);
  });
});

describe('the commands exit with 2 and make nothing for', () => {
  const refusals: Readonly<Record<string, readonly [args: readonly string[], says: RegExp]>> = {
    'no command': [[], /Usage/],
    'an unknown command': [['destroy'], /unknown command 'destroy'/],
    'a command without its object': [['passport'], /Usage/],
    'a missing argument': [['key', 'revoke'], /missing required argument 'id'/],
    'a database that is not there': [['passport', 'list'], /There is no database/],
    'two services at once': [
      ['key', 'list', '--url', 'http://localhost:1', '--storage', 'memory:'],
      /--url or --storage, not both/,
    ],
    'a malformed address': [['key', 'list', '--url', 'localhost'], /--url/],
    'a sign-in without a password': [
      ['key', 'list', '--url', 'http://localhost:1'],
      /AGENT_IDENTITY_PASSWORD/,
    ],
    'a verify without a key': [
      ['verify', '--agent', 'did:web:example.com:agents:a', '--action', 'b', '--url', 'http://localhost:1'],
      /AGENT_IDENTITY_API_KEY/,
    ],
    'an account in memory': [['account', 'create', 'a@b.example', '--storage', 'memory:'], /memory:/],
    'an account that cannot be': [['account', 'create', 'nobody'], /\/email/],
    'an intent file that is not there': [['verify', 'intent.json'], /intent\.json cannot be read/],
  };

  test.each(Object.entries(refusals))('%s', async (_name, [args, says]) => {
    const ended = await run(args, { cwd: folder });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toContain('    at ');
    expect(snapshot(folder)).toEqual({});
  });

  test('a storage without an account, and one with several', async () => {
    const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
    await storage.close();
    expectRefusal(await run(['key', 'list'], { cwd: folder }), /no account yet/);
    for (const email of ['ada@example.com', 'bob@example.com']) {
      expect((await run(['account', 'create', email], { cwd: folder, env: GIVEN })).code).toBe(0);
    }
    expectRefusal(await run(['key', 'list'], { cwd: folder }), /--account <account>/);
    expectRefusal(
      await run(['key', 'list', '--account', 'eve@example.com'], { cwd: folder }),
      /no account eve/,
    );
    expect((await run(['key', 'list', '--account', 'Ada@example.com'], { cwd: folder })).code).toBe(0);
  });
});

function expectRefusal(ended: Ended, says: RegExp): void {
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^agent-identity: [^\n]+\n$/);
  expect(ended.stderr).toMatch(says);
}
