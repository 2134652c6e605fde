import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { installPacked } from '../support/packed.ts';
import { waysToTry } from '../support/runs.ts';

const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** What the types of the package lead to. */
const NEEDED = [
  ...['@noble/hashes', 'jose', 'kysely', 'lru-cache'],
  ...['@opentelemetry/api', 'express', 'fast-check', 'pg', '@types/express', '@types/node', '@types/pg'],
];

/** Every entry point, so that the compiler checks each file of types. The one for LangChain is with its framework. */
const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const ALL_ENTRY_POINTS = Object.keys(exports)
  .filter((entryPoint) => !['./package.json', './guard/langchain'].includes(entryPoint))
  .map((entryPoint) => `import type {} from 'agent-identity-service${entryPoint.slice(1)}';\n`)
  .join('');

/** A library over ours, with nothing but inferred types: the compiler has to find a public name for each. */
const LIBRARY = `
import express from 'express';
import pg from 'pg';
import { createIdentityService, defaultRules, IdentityError, type ServiceWith } from 'agent-identity-service';
import type { AnalyticsCapability } from 'agent-identity-service/analytics';
import type { DomainCapability } from 'agent-identity-service/domains';
import type { PeopleCapability } from 'agent-identity-service/people';
import type { IdentityService, Intent, Reason, Rule, StorageAdapter } from 'agent-identity-service';
import { createIdentityClient } from 'agent-identity-service/client';
import { createExpressServer, identityRouter } from 'agent-identity-service/express';
import { endpoints, fetchHandler, nodeListener, openApiDocument } from 'agent-identity-service/http';
import { collections, noticesOf } from 'agent-identity-service/storage';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { redisStorage } from 'agent-identity-service/storage/redis';
import { postgresStorage, sqliteStorage } from 'agent-identity-service/storage/sql';
import { storageContract } from 'agent-identity-service/testing';
import { questionArbitrary } from 'agent-identity-service/testing/arbitraries';
import { decide, prepare } from 'agent-identity-service/verdict';

export const service = createIdentityService({ storage: memoryStorage(), rules: [...defaultRules] });
export const client = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
export const { accounts, keys, passports, verifications } = service;
export const methods = (of: IdentityService) => ({ ...of });
export const overview = (of: IdentityService) => of.account();
export const sums = (of: ServiceWith<readonly [AnalyticsCapability]>) => of.analytics({ interval: 'day' });
export const made = (of: IdentityService) => of.keys.create({ name: 'a key' });
export const again = (of: IdentityService) => of.keys.create({ name: 'a key' }, { idempotencyKey: 'a' });
export const rotated = (of: IdentityService) => of.keys.rotate('key');
export const signedIn = (of: ServiceWith<readonly [PeopleCapability]>) => of.login({ email: 'a@b.example', password: 'secret' });
export const history = (of: IdentityService) => of.passports.versions('did:web:a.example:agents:b');
export const claims = (of: ServiceWith<readonly [DomainCapability]>) => of.domains.list();
export const caller = (of: IdentityService) => of.serving.authenticateKey('key');
export const session = (of: ServiceWith<readonly [PeopleCapability]>) => of.authenticateSession('token');
export const healthy = (of: IdentityService) => of.health();
export const asked = (intent: Intent) => service.verify(intent);
export const details = (error: IdentityError) => error.details;
export const bad = (error: IdentityError) => error.details.errors?.[0];

export const written = (storage: StorageAdapter) => storage.write([]);
export const page = (storage: StorageAdapter) => storage.journal.blocks({ account_id: 'a', limit: 1 });
export const counted = (storage: StorageAdapter) => storage.countPassports?.('a', 'now');
export const time = (storage: StorageAdapter) => storage.time('now');
export const wrapped = (storage: StorageAdapter) => ({ ...storage });
export const listed = collections.passports.lists;
export const notices = noticesOf([]);
export const stores = [
  () => memoryStorage(),
  () => sqliteStorage({ file: 'a.db' }),
  () => redisStorage({ url: 'redis://127.0.0.1' }),
  () => postgresStorage({ pool: new pg.Pool() }),
];

export const decided = (question: Parameters<typeof decide>[0]) => decide(question);
export const ready = (passport: Parameters<typeof prepare>[0]) => prepare(passport);
export const late: Rule = ({ at, action }) =>
  at > 0 ? undefined : { code: 'too_late', message: 'It is too late for ' + action };
export const isOver = (reason: Reason) => reason.code === 'amount_over_limit' || reason.code === 'too_late';
export const router = identityRouter(service);
export const server = createExpressServer(express().use('/api', router));
export const table = endpoints;
export const one = () => endpoints[0]?.handle;
export const document = openApiDocument(endpoints);
export const faces = [fetchHandler(service), nodeListener(service)] as const;
export const cases = storageContract(async () => memoryStorage());
export const questions = questionArbitrary();
`;

const RESOLUTIONS = {
  Node: ['nodenext', 'nodenext'],
  'a bundler': ['esnext', 'bundler'],
} as const;

const ways = waysToTry(RESOLUTIONS, 1, 'a library over our types');

test.each(ways)(
  'a library that exports what it makes of our types compiles, as for %s',
  async (_, resolution) => {
    const { folder } = await installPacked(NEEDED);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'library', type: 'module' }));
    await writeFile(join(folder, 'library.ts'), `${ALL_ENTRY_POINTS}${LIBRARY}`);
    const [module, moduleResolution] = resolution;
    const compilerOptions = {
      ...{ target: 'es2023', lib: ['es2023', 'esnext.disposable'], types: ['node'] },
      ...{ module, moduleResolution, strict: true, skipLibCheck: false },
      ...{ exactOptionalPropertyTypes: true, declaration: true, outDir: 'out' },
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['library.ts'] }),
    );
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((failure) => failure);
    expect(stdout).toBe('');
    const declared = await readFile(join(folder, 'out/library.d.ts'), 'utf8');
    expect(declared).toContain('agent-identity-service');
    expect(declared).not.toMatch(/chunks|: any\b/);
  },
);
