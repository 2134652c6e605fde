/** What a room may import besides itself: rooms, single files, packages, and Node where `node:` stands. */
export interface Room {
  readonly rooms?: readonly string[];
  readonly files?: readonly string[];
  readonly packages?: readonly string[];
}

const DOORS = [
  ...[
    'client',
    'did/index',
    'guard/index',
    'http/binding',
    'http/index',
    'index',
    'metrics/index',
    'proof/index',
  ],
  ...['blocks/door', 'log-tree/index'],
  ...['ports/index', 'testing/index', 'types', 'verdict/index', 'verifier/index'],
].map((name) => `src/${name}.ts`);
/** All that an adapter of a storage may know: what ours can do, another author's can. */
const STORAGE_DOORS = ['src/ports/index.ts'];
/** What every room of the core may use. */
const COMMON = ['records', 'base', 'ports'];
/** The rooms of the service: each has one owner of data, but for the first two, which all of them use. */
const SERVICE = [
  'shared',
  'storage',
  'passports',
  'domains',
  'keys',
  'accounts',
  'logins',
  'members',
  'verification',
  'verifiers',
  'journal',
  'insight',
  'events',
  'hosts',
  'signing',
  'spending',
  'outcomes',
  'webhooks',
  'approvals',
  'erasure',
  'oidc',
  'subjects',
  'acting',
  'replay',
  'setup',
  'evidence',
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
  json: { rooms: [...COMMON, 'platform'] },
  'log-tree': { rooms: [...COMMON, 'platform'] },
  signing: { rooms: [...COMMON, 'platform', 'json'] },
  // `#safe-fetch` stands for what each runtime has.
  proof: {
    rooms: [...COMMON, 'platform', 'json', 'log-tree', 'signing', 'verdict'],
    packages: ['#safe-fetch'],
  },
  schema: { rooms: ['records', 'base'] },
  service: { rooms: [...COMMON, 'verdict', 'blocks', 'credential', 'schema', 'signing', ...SERVICE] },
  'service/setup': {
    rooms: [...SHARED, 'platform', 'verdict'],
    files: ['src/service/options.ts', 'src/service/accounts/passwords.ts'],
  },
  'service/shared': {
    rooms: [...COMMON, 'platform', 'credential', 'service/storage'],
    files: ['src/service/options.ts', 'src/service/accounts/passwords.ts'],
  },
  'service/storage': {
    rooms: [...COMMON, 'verdict', 'credential', 'service/shared'],
    files: ['src/service/options.ts'],
    packages: ['lru-cache'],
  },
  'service/passports': {
    rooms: [...SHARED, 'signing', 'verdict'],
    files: [
      'src/service/options.ts',
      'src/service/approvals/change-approvals.ts',
      'src/service/domains/owner.ts',
      'src/service/domains/proof.ts',
      'src/service/domains/record.ts',
      'src/service/domains/rules.ts',
      'src/service/signing/signing-right.ts',
      'src/service/signing/status-slots.ts',
      'src/service/signing/token-signer.ts',
      'src/service/journal/journal.ts',
      'src/service/replay/replay.ts',
      'src/service/replay/replay-input.ts',
      'src/service/spending/spending.ts',
    ],
  },
  'service/replay': {
    rooms: [...SHARED, 'blocks', 'verdict', 'service/journal', 'service/passports'],
    files: ['src/service/setup/checked-values.ts'],
  },
  'service/domains': { rooms: SHARED },
  'service/spending': { rooms: [...SHARED, 'verdict'] },
  'service/webhooks': {
    rooms: [...SHARED, 'platform', 'signing'],
    files: [
      'src/service/options.ts',
      'src/service/events/events.ts',
      'src/service/events/event-records.ts',
      'src/service/events/whole-event.ts',
      'src/service/signing/signing.ts',
    ],
  },
  'service/outcomes': {
    rooms: [...SHARED, 'blocks', 'verdict'],
    files: ['src/service/journal/journal.ts', 'src/service/verification/verify-caller.ts'],
  },
  'service/approvals': { rooms: [...SHARED, 'platform', 'verdict'], files: ['src/service/logins/logins.ts'] },
  'service/subjects': {
    rooms: [...SHARED, 'blocks'],
    files: ['src/service/journal/journal.ts', 'src/service/journal/damage.ts'],
  },
  'service/oidc': {
    rooms: [...SHARED, 'platform', 'service/hosts'],
    files: [
      ...['accounts/account-record', 'accounts/sessions', 'accounts/throttle', 'logins/logins'],
      ...['members/member-record', 'members/members'],
    ].map((name) => `src/service/${name}.ts`),
  },
  'service/hosts': {
    rooms: [...SHARED, 'platform'],
    files: ['src/service/accounts/account-record.ts', 'src/service/members/member-record.ts'],
  },
  'service/erasure': {
    rooms: [...SHARED, 'signing', 'verdict'],
    files: [
      'src/service/approvals/approval-record.ts',
      'src/service/journal/merge/agent-records.ts',
      'src/service/domains/record.ts',
      'src/service/passports/stripped.ts',
      'src/service/webhooks/payload.ts',
      'src/service/passports/try-passport.ts',
      'src/service/spending/counters.ts',
    ],
  },
  'service/acting': {
    rooms: COMMON,
    files: [
      'src/service/subjects/subjects.ts',
      'src/service/accounts/end-sessions.ts',
      'src/service/accounts/own-account.ts',
      'src/service/accounts/sessions.ts',
      'src/service/approvals/approvals.ts',
      'src/service/events/event-filter.ts',
      'src/service/events/events.ts',
      'src/service/evidence/evidence.ts',
      'src/service/evidence/receipts.ts',
      'src/service/insight/analytics.ts',
      'src/service/insight/audit.ts',
      'src/service/insight/verifications.ts',
      'src/service/keys/key-changes.ts',
      'src/service/keys/key-record.ts',
      'src/service/keys/keys.ts',
      'src/service/members/members.ts',
      'src/service/domains/domains.ts',
      'src/service/passports/list-passports.ts',
      'src/service/passports/passports.ts',
      'src/service/passports/revocation.ts',
      'src/service/passports/try-passport.ts',
      'src/service/replay/replay-input.ts',
      'src/service/shared/call-options.ts',
      'src/service/shared/callers.ts',
      'src/service/shared/context.ts',
      'src/service/shared/idempotency.ts',
      'src/service/shared/pages.ts',
      'src/service/spending/spends.ts',
      'src/service/webhooks/webhook-input.ts',
      'src/service/webhooks/webhooks.ts',
    ],
  },
  'service/keys': { rooms: SHARED },
  'service/accounts': {
    rooms: [...SHARED, 'platform'],
    files: ['src/service/erasure/erasures.ts', 'src/service/keys/keys.ts', 'src/service/logins/logins.ts'],
  },
  'service/members': {
    rooms: [...SHARED, 'platform'],
    files: [
      'src/service/accounts/sessions.ts',
      'src/service/accounts/throttle.ts',
      'src/service/keys/keys.ts',
      'src/service/logins/logins.ts',
    ],
  },
  'service/logins': { rooms: [...SHARED, 'platform'] },
  'service/verification': {
    rooms: [...SHARED, 'platform', 'signing', 'verdict'],
    files: [
      'src/service/approvals/approval-plan.ts',
      'src/service/journal/journal.ts',
      'src/service/signing/signing-right.ts',
      'src/service/signing/token-signer.ts',
      'src/service/spending/spending.ts',
    ],
  },
  'service/verifiers': {
    rooms: [...SHARED, 'blocks', 'platform', 'verdict'],
    files: [
      'src/service/journal/journal.ts',
      'src/service/journal/latency.ts',
      'src/service/passports/passport-record.ts',
    ],
  },
  'service/journal': {
    rooms: [...SHARED, 'blocks'],
    files: ['src/service/options.ts'],
    packages: ['lru-cache'],
  },
  'service/insight': {
    rooms: [...SHARED, 'blocks', 'service/journal'],
    files: ['src/service/passports/passport-record.ts'],
  },
  'service/events': {
    rooms: [...SHARED, 'blocks', 'service/journal'],
    files: ['passports/passport-record', 'approvals/approval-record', 'logins/logins'].map(
      (name) => `src/service/${name}.ts`,
    ),
  },
  'service/evidence': {
    rooms: [...SHARED, 'platform', 'blocks', 'log-tree'],
    files: [
      ...['journal/journal', 'journal/damage', 'journal/merge/join-blocks', 'journal/merge/time-slices'],
      ...['events/event-records', 'events/whole-event', 'signing/log-signer', 'signing/signing'],
    ].map((name) => `src/service/${name}.ts`),
  },
  'service/signing': {
    rooms: [...SHARED, 'platform', 'signing'],
    files: ['src/service/options.ts', 'src/service/domains/record.ts'],
  },
  did: {
    rooms: COMMON,
    files: [
      ...[
        'assert-service',
        'client-address',
        'etag',
        'exchange',
        'node-exchange',
        'pipelining',
        'problem',
      ].map((name) => `src/http/${name}.ts`),
      'src/service.ts',
    ],
  },
  http: {
    rooms: [...COMMON, 'platform', 'json', 'schema', 'service'],
    files: ['src/credential/random-id.ts'],
  },
  client: { rooms: [...COMMON, 'proof'], files: ['src/service.ts'] },
  guard: { rooms: ['records', 'base'] },
  metrics: { rooms: COMMON },
  testing: { rooms: COMMON, files: DOORS, packages: ['fast-check'] },
  verifier: {
    rooms: [
      ...[...COMMON, 'platform', 'schema', 'verdict', 'blocks', 'client'],
      ...['service/shared', 'service/storage', 'service/verification', 'service/journal'],
    ],
    files: ['src/service/options.ts', 'src/service/setup/authzen.ts', 'src/service/setup/checked-values.ts'],
  },
  index: { rooms: [...COMMON, 'verdict', 'service', 'client'] },
  types: { rooms: [...COMMON, 'verdict', 'service', 'client'] },
  build: { rooms: ['schema'], packages: ['node:', 'ajv', 'rolldown', 'rollup'] },
  'adapters/storage/memory': { files: STORAGE_DOORS },
  'adapters/storage/redis': { files: STORAGE_DOORS, packages: ['node:', 'keyv', '@keyv/redis'] },
  'adapters/storage/sql': { files: STORAGE_DOORS, packages: ['node:', 'kysely', 'libsql', 'pg'] },
  'adapters/express': { files: DOORS, packages: ['node:', 'express'] },
  'adapters/oidc': { files: DOORS, packages: ['openid-client'] },
  'adapters/otel': { files: DOORS, packages: ['@opentelemetry/api'] },
  'adapters/domain-check': { files: DOORS, packages: ['node:'] },
  'adapters/guards/ai-sdk': { files: DOORS },
  'adapters/guards/langchain': { files: DOORS, packages: ['langchain'] },
  'adapters/guards/mcp': { files: DOORS },
  'adapters/guards/openai-agents': { files: DOORS },
  'adapters/dashboard': { files: DOORS, packages: ['node:', 'preact', '@preact/signals'] },
  'adapters/cli': { files: DOORS, packages: ['node:', 'commander', 'express', 'openid-client'] },
};
