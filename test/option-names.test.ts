/** Every function of every entry point that takes options refuses a misspelt option. */
import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import * as dashboard from '../adapters/dashboard/index.ts';
import * as express from '../adapters/express/index.ts';
import * as aiSdk from '../adapters/guards/ai-sdk/index.ts';
import * as claudeAgent from '../adapters/guards/claude-agent/index.ts';
import * as langchain from '../adapters/guards/langchain/index.ts';
import * as mcp from '../adapters/guards/mcp/index.ts';
import * as openaiAgents from '../adapters/guards/openai-agents/index.ts';
import * as domainCheck from '../adapters/node/index.ts';
import * as oidc from '../adapters/oidc/index.ts';
import * as otel from '../adapters/otel/index.ts';
import { memoryStorage } from '../adapters/storage/memory/index.ts';
import * as redis from '../adapters/storage/redis/index.ts';
import * as sql from '../adapters/storage/sql/index.ts';
import { accessTokens } from '../src/access-tokens/index.ts';
import { authzen } from '../src/authzen/index.ts';
import * as capabilities from '../src/capabilities.ts';
import * as client from '../src/client.ts';
import { evidence } from '../src/evidence/index.ts';
import * as guards from '../src/guard/index.ts';
import * as http from '../src/http/index.ts';
import * as identity from '../src/identity/index.ts';
import * as main from '../src/index.ts';
import { IdentityError } from '../src/index.ts';
import { people } from '../src/people/index.ts';
import * as tokens from '../src/tokens/index.ts';
import * as proof from '../src/tokens/proof/index.ts';
import * as log from '../src/transparency-log/index.ts';
import * as verifier from '../src/verifier/index.ts';
import * as webhooks from '../src/webhooks/index.ts';

type Call = (options: never) => unknown;

const service = main.createIdentityService({
  storage: memoryStorage(),
  session: { secret: 'a secret that is only used by this test' },
  capabilities: [identity.identity()],
  log: () => {},
});
const guard = guards.createToolGuard({ verifier: service, agentId: 'did:web:a.example:agents:b' });
const tool = { callTool: () => {}, listTools: () => ({ tools: [] }), request: () => {} };

const issuers = ['https://a.example/issuers/b.example'];
const verifyToken = tokens.createTokenVerifier({ issuers, resource: 'https://c.example' });

/** Each function, by its entry point. */
const CALLS: Readonly<Record<string, Call>> = {
  'index createIdentityClient': main.createIdentityClient,
  'index createIdentityService': main.createIdentityService,
  'capabilities everyCapability': capabilities.everyCapability,
  'access-tokens accessTokens': accessTokens,
  'authzen authzen': authzen,
  'evidence evidence': evidence,
  'identity identity': identity.identity,
  'people people': people,
  'tokens agentTokens': tokens.agentTokens as Call,
  'tokens createTokenVerifier': tokens.createTokenVerifier,
  'tokens introspection': tokens.introspection as Call,
  'tokens rememberOnce': tokens.rememberOnce,
  'webhooks webhooks': webhooks.webhooks,
  'client createAdminClient': client.createAdminClient,
  'client createIdentityClient': client.createIdentityClient,
  'http fetchHandler': (options) => http.fetchHandler(service, options),
  'http nodeListener': (options) => http.nodeListener(service, options),
  'express didRouter': (options) => express.didRouter(service, options),
  'express requireToken': (options) => express.requireToken(verifyToken, options),
  'express identityRouter': (options) => express.identityRouter(service, options),
  'dashboard dashboardHandler': (options) => dashboard.dashboardHandler(service, options),
  'dashboard dashboardRouter': (options) => dashboard.dashboardRouter(service, options),
  'identity didHandler': (options) => identity.didHandler(service, options),
  'identity didListener': (options) => identity.didListener(service, options),
  'node createSafeFetch': domainCheck.createSafeFetch,
  'node nodeDomainProver': domainCheck.nodeDomainProver,
  'node nodeWebhookTransport': domainCheck.nodeWebhookTransport,
  'node safeFetch': (options) => domainCheck.safeFetch('https://a.example', options),
  'guard assertGuardable': (options) => guards.assertGuardable(guard, new Map(), options),
  'guard assertToolGuard': (options) => assertGuard(options),
  'guard createToolGuard': guards.createToolGuard,
  'guard/ai-sdk guardTools': (options) => aiSdk.guardTools({}, guard, options),
  'guard/claude-agent guardOptions': (options) => claudeAgent.guardOptions({}, guard, options),
  'guard/ai-sdk meterModel': aiSdk.meterModel as Call,
  'guard/langchain guardMiddleware': (options) => langchain.guardMiddleware(guard, options),
  'guard/mcp guardClient': (options) => mcp.guardClient(tool, guard, options),
  'guard/mcp guardServer': (options) => mcp.guardServer({ registerTool: () => {} }, guard, options),
  'guard/openai-agents guardMcpServer': (options) => openaiAgents.guardMcpServer(tool, guard, options),
  'guard/openai-agents guardTools': (options) => openaiAgents.guardTools([], guard, options),
  'oidc openidProvider': oidc.openidProvider,
  'otel traced': (options) => otel.traced(service, {} as never, options),
  'proof createPermitVerifier': proof.createPermitVerifier,
  'proof rememberOnce': proof.rememberOnce,
  'proof signIntent': (options) => proof.signIntent({ action: 'a' }, options),
  'proof verifyPassport': (options) => proof.verifyPassport('', options),
  'log verifyLog': (options) => log.verifyLog({ checkpoint: '', tile: async () => undefined }, options),
  'proof verifyReceipt': (options) => proof.verifyReceipt({} as never, options as never),
  'verifier createLocalVerifier': verifier.createLocalVerifier,
  'verifier createVerifierHost': verifier.createVerifierHost,
  'storage/sql inspectPostgres': sql.inspectPostgres,
  'storage/sql inspectSqlite': sql.inspectSqlite,
  'storage/sql postgresMigrations': sql.postgresMigrations,
  'storage/sql postgresStorage': sql.postgresStorage,
  'storage/sql sqlStorage': sql.sqlStorage,
  'storage/sql sqliteStorage': sql.sqliteStorage,
  'storage/redis examineRedis': redis.examineRedis,
  'storage/redis inspectRedis': redis.inspectRedis,
  'storage/redis redisStorage': redis.redisStorage,
};

/** What looks like options and is not. */
const DATA: ReadonlySet<string> = new Set([
  // Records, queries, and the objects that evaluate them.
  ...[
    'verdict/compare compare',
    'verdict/compare compareFields',
    'verdict/compare differenceSentence',
    ...['verdict decide', 'verdict prepare', 'ocsf ocsfLine', 'storage assertListed'],
    ...['verdict limitsBehind', 'verdict unreadPart'],
    ...['storage createElapsedClock', 'storage statusAt'],
    ...['storage wholeNumber', 'tokens accessOf'],
  ],
  ...[
    'identity agentDocument',
    'identity agentKeySet',
    'identity domainDocument',
    'http/binding unsupportedNode',
  ],
  ...['guard/mcp deniedMeta', 'guard/mcp deniedResult', 'guard guardedView', 'guard toolListing'],
  ...['testing/arbitraries callerArbitrary', 'testing/arbitraries intentArbitrary', 'verdict couldAllow'],
  // A guard, and what else has methods of a service.
  ...['guard usageOf', 'guard/ai-sdk approvalOf'],
  ...['guard/mcp createElicitations', 'guard/mcp keptRuns'],
  ...['http/binding assertService', 'http/binding createDispatch'],
  // Node's requests and responses, and the options of its servers.
  ...['http/binding send', 'http/binding toApiRequest', 'express createExpressServer', 'express keepRawBody'],
  // Called for each request, or with the options of the function that calls it.
  ...['http/binding readLender', 'http/binding readJson', 'http/binding readTrustProxy'],
]);

function assertGuard(options: guards.GuardToolsOptions): void {
  guards.assertToolGuard(guard, options);
}

interface Taker {
  readonly name: string;
  readonly options: readonly string[];
}

/** The functions of the entry points that take an object with options, as the compiler of an application sees them. */
function takers(): readonly Taker[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { types?: string }>;
  };
  const entryPoints = Object.entries(exports).flatMap(([path, { types }]) =>
    types === undefined ? [] : [{ name: path === '.' ? 'index' : path.slice('./'.length), file: types }],
  );
  const program = ts.createProgram(
    entryPoints.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      skipLibCheck: true,
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  return entryPoints.flatMap(({ name: at, file }) => {
    const source = program.getSourceFile(file);
    const entryPoint = source && checker.getSymbolAtLocation(source);
    if (entryPoint === undefined) throw new Error(`There is no entry point ${file}: build first.`);
    if (at === 'types') return [];
    return checker.getExportsOfModule(entryPoint).flatMap((symbol) => {
      const name = `${at} ${symbol.name}`;
      const signatures = checker.getTypeOfSymbolAtLocation(symbol, source as ts.Node).getCallSignatures();
      const options = signatures.flatMap((signature) =>
        signature.parameters.slice(-1).flatMap((parameter) => {
          const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
          const type = checker.getBaseConstraintOfType(given) ?? given;
          const parts = type.isUnion() ? type.types : [type];
          return parts.flatMap((part) => optionsIn(checker, part));
        }),
      );
      return options.length === 0 ? [] : [{ name, options: [...new Set(options)] }];
    });
  });
}

/** The names of an object of plain properties: one may be left out, or its type has no name or one of options. */
function optionsIn(checker: ts.TypeChecker, type: ts.Type): readonly string[] {
  const isPlain = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  if (!isPlain || type.getCallSignatures().length > 0 || checker.isArrayLikeType(type)) return [];
  const properties = type.getProperties();
  const isOptional = properties.some(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0);
  const isNamedSo = /^__type$|Options$/.test(type.aliasSymbol?.name ?? type.getSymbol()?.name ?? '');
  return isOptional || isNamedSo ? properties.map(({ name }) => name) : [];
}

const TAKERS = takers().filter(({ name }) => !DATA.has(name));

/** The error that it throws, at once or later. */
async function refusalOf(call: Call, options: unknown): Promise<unknown> {
  try {
    await call(options as never);
  } catch (error) {
    return error;
  }
  return undefined;
}

test('lists every function of every entry point that takes options', () => {
  expect(TAKERS.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(TAKERS)('$name', ({ name, options }) => {
  const call = CALLS[name] as Call;

  test('names what a misspelt option was meant to be', async () => {
    for (const option of options) {
      const error = await refusalOf(call, { [`${option}x`]: undefined });
      expect(error).toBeInstanceOf(IdentityError);
      expect(error).toMatchObject({ code: 'invalid_configuration' });
      expect((error as Error).message).toMatch(
        new RegExp(`no option "?${option}x"?\\. Did you mean ${option}\\?$`),
      );
    }
  });

  test('takes nothing but an object', async () => {
    for (const wrong of [null, 'x', 5]) {
      expect(await refusalOf(call, wrong)).toMatchObject({ code: 'invalid_configuration' });
    }
  });
});

describe('a URL of a storage', () => {
  test.each([
    ['mysql://root:hunter2@localhost/x', /begins with postgres:/],
    ['https://hunter2@localhost/x', /begins with postgres:/],
    [undefined, /begins with postgres:/],
    ['postgres://u:hunter2@localhost/x?schema=agents', /no schema.*search_path/],
    [
      'postgres://u:hunter2@localhost/x?sslmod=require',
      /parameter that is not known: sslmod\. Did you mean sslmode\?$/,
    ],
    ['postgres://u:hunter2@localhost/x?hunter2', /parameter that is not known: its name is malformed\.$/],
  ])('of PostgreSQL: %s', async (url, message) => {
    for (const call of [sql.postgresStorage, sql.inspectPostgres, sql.postgresMigrations]) {
      await expectRefusal(() => call({ url: url as string }), message);
    }
  });

  test.each([
    ['mysql://root:hunter2@localhost', /begins with redis:/],
    [undefined, /begins with redis:|Name a url/],
    ['redis://:hunter2@localhost/0?prefix=agents', /no parameters.*namespace/],
  ])('of Redis: %s', async (url, message) => {
    for (const call of [redis.redisStorage, redis.inspectRedis]) {
      await expectRefusal(() => call({ url: url as string }), message);
    }
  });
});

test.each<[string, () => unknown]>([
  ['sqliteStorage', () => sql.sqliteStorage({} as never)],
  ['sqliteStorage of a number', () => sql.sqliteStorage({ file: 5 } as never)],
  ['inspectSqlite', () => sql.inspectSqlite({} as never)],
  ['postgresStorage', () => sql.postgresStorage({} as never)],
  ['sqlStorage', () => sql.sqlStorage({} as never)],
  [
    'sqlStorage of MySQL',
    () => sql.sqlStorage({ kysely: { withoutPlugins() {} }, dialect: 'mysql' } as never),
  ],
  ['redisStorage', () => redis.redisStorage({} as never)],
  ['redisStorage with a boolean', () => redis.redisStorage({ url: 'redis://a', durability: true } as never)],
  ['identityRouter', () => express.identityRouter(undefined as never)],
  ['didRouter', () => express.didRouter(undefined as never)],
  ['dashboardRouter', () => dashboard.dashboardRouter(undefined as never)],
  ['dashboardHandler', () => dashboard.dashboardHandler(undefined as never)],
  ['didHandler', () => identity.didHandler(undefined as never)],
  ['fetchHandler', () => http.fetchHandler(undefined as never)],
  ['nodeListener', () => http.nodeListener(undefined as never)],
  ['a plan with another number', () => withOption({ plans: { starter: { keys: 1, passport: 1 } } })],
  ['a number of a plan that is NaN', () => withOption({ plans: { team: { keys: Number.NaN } } })],
  ['the cache by another name', () => withOption({ cache: { maxEntires: 5 } })],
])('%s without what it needs is invalid_configuration', async (_, call) => {
  await expectRefusal(call, /./);
});

function withOption(option: object): unknown {
  return main.createIdentityService({ storage: memoryStorage(), ...option });
}

async function expectRefusal(call: () => unknown, message: RegExp): Promise<void> {
  const error = await refusalOf(call as Call, undefined);
  expect(error).toMatchObject({ code: 'invalid_configuration', message: expect.stringMatching(message) });
  expect((error as Error).message).not.toContain('hunter2');
}
