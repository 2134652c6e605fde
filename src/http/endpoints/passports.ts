import { isDomain, parseAgentId } from '../../base/values/agent-id.ts';
import { PASSPORT_STATUSES } from '../../base/values/passport-status.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import { EDITORS, ERASERS, MEMBERS } from '../../operations/roles.ts';
import type { SignPassportInput } from '../../records/token.ts';
import type { Passport, PassportInput, PassportPatch } from '../../records.ts';
import { replayOperations } from '../../replay/operations.ts';
import type { BudgetQuery, PassportQuery, TryInput } from '../../service.ts';
import { readApprovalId } from '../approval-id.ts';
import { type Endpoint, endpoint, type Reply } from '../endpoint.ts';
import { headerOf } from '../exchange.ts';
import { endpointsOf } from '../from-operation.ts';
import { readIfMatch } from '../if-match.ts';
import { readIfNarrower } from '../if-narrower.ts';
import { pageOf, pageParameters } from '../page-query.ts';
import { withBoundedTrial } from '../read-proof.ts';

/** The endpoints of an account's passports. */
export const passportEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/passports',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Issue a passport',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'PassportRequest' },
    idempotent: true,
    success: { status: 201, description: 'The passport.', schema: 'Passport' },
    errors: ['already_exists', 'domain_claimed', 'domain_unproven', 'plan_limit_reached'],
    handle: async ({ service, caller, body, once }) =>
      reply(await service.passports.create(body as PassportInput, { ...caller, ...once })),
  }),
  endpoint({
    method: 'GET',
    path: '/passports',
    verb: 'passports',
    tag: 'Passports',
    summary: 'List the passports, newest first',
    credential: 'session',
    role: MEMBERS,
    query: [
      {
        name: 'status',
        description: 'Only passports of this status now.',
        schema: { type: 'string', enum: PASSPORT_STATUSES },
      },
      {
        name: 'domain',
        description: 'Only passports of this domain.',
        schema: { type: 'string' },
        // The service decides later if localhost is allowed.
        accepts: (value) => isDomain(value, { allowLocalhost: true }),
      },
      {
        name: 'parent_agent_id',
        description: 'Only the helpers of this agent.',
        schema: { type: 'string' },
        accepts: (value) => parseAgentId(value, { allowLocalhost: true }) !== undefined,
      },
      ...pageParameters,
    ],
    success: { status: 200, description: 'A page of passports.', schema: 'PassportPage' },
    async handle({ service, caller, query, signal }) {
      const { limit: _, cursor: __, ...filters } = query;
      const asked = { ...pageOf(query), ...filters } as PassportQuery;
      return { body: await service.passports.list(asked, { ...caller, signal: signal() }) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/passports/{agent_id}',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Show a passport',
    credential: 'session',
    role: MEMBERS,
    success: { status: 200, description: 'The passport; ETag is its version.', schema: 'Passport' },
    errors: ['not_found'],
    handle: async ({ service, caller, params }) =>
      reply(await service.passports.get(params['agent_id'] ?? '', caller)),
  }),
  endpoint({
    method: 'GET',
    path: '/passports/{agent_id}/versions',
    verb: 'passports',
    tag: 'Passports',
    summary: 'List the versions of a passport and their authors, newest first',
    credential: 'session',
    role: MEMBERS,
    query: pageParameters,
    success: { status: 200, description: 'A page of versions.', schema: 'PassportVersionPage' },
    errors: ['not_found'],
    async handle({ service, caller, params, query, signal }) {
      const options = { ...caller, signal: signal() };
      const { agent_id = '' } = params;
      return { body: await service.passports.versions(agent_id, pageOf(query), options) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/passports/{agent_id}/budgets',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Show spent, held and remaining amounts of the budgets of a passport',
    credential: 'session',
    role: MEMBERS,
    query: [
      {
        name: 'environment',
        description: 'Each environment has its own budgets; default live.',
        schema: { type: 'string', enum: ENVIRONMENTS },
      },
    ],
    success: { status: 200, description: 'The budgets, in the order of the passport.', schema: 'BudgetList' },
    errors: ['not_found'],
    handle: async ({ service, caller, params, query }) => ({
      body: await service.passports.budgets(params['agent_id'] ?? '', query as BudgetQuery, caller),
    }),
  }),
  endpoint({
    method: 'GET',
    path: '/passports/{agent_id}/effective',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Show what a passport and its parents allow together',
    credential: 'session',
    role: MEMBERS,
    success: {
      status: 200,
      description: 'The intersection, for people to read.',
      schema: 'EffectivePassport',
    },
    errors: ['not_found'],
    limit: ({ serving }, caller) => serving.countEffective(caller),
    handle: async ({ service, caller, params, signal }) => ({
      body: await service.passports.effective(params['agent_id'] ?? '', { ...caller, signal: signal() }),
    }),
  }),
  endpoint({
    method: 'PATCH',
    path: '/passports/{agent_id}',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Change a passport by JSON Merge Patch',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'PassportPatch', mergePatch: true },
    narrowable: true,
    approvable: true,
    success: { status: 200, description: 'The passport as it is now.', schema: 'Passport' },
    errors: ['not_found', 'conflict', 'version_mismatch', 'would_widen', 'second_person_required'],
    async handle({ service, caller, params, body, rawHeaders }) {
      const options = {
        ...caller,
        ...readIfMatch(headerOf(rawHeaders, 'if-match')),
        ...readIfNarrower(headerOf(rawHeaders, 'if-narrower')),
        ...readApprovalId(headerOf(rawHeaders, 'approval-id')),
      };
      const patch = body as PassportPatch;
      return reply(await service.passports.update(params['agent_id'] ?? '', patch, options));
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/passports/{agent_id}',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Erase a revoked agent except its id',
    credential: 'session',
    role: ERASERS,
    success: {
      status: 204,
      description: 'Only the id of the passport is left; the rest is being erased.',
    },
    errors: ['not_found', 'conflict'],
    async handle({ service, caller, params }) {
      await service.passports.purge(params['agent_id'] ?? '', caller);
      return {};
    },
  }),
  endpoint({
    method: 'POST',
    path: '/passports/{agent_id}/try',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Try an intent on a passport, with or without a change',
    credential: 'session',
    role: MEMBERS,
    limit: ({ serving }, caller) => serving.countTry(caller),
    body: { schema: 'TryRequest' },
    success: { status: 200, description: 'The verdict, with every reason.', schema: 'Verdict' },
    errors: ['not_found', 'conflict'],
    handle: async ({ service, caller, params, body }) => ({
      body: await service.passports.try(params['agent_id'] ?? '', withBoundedTrial(body) as TryInput, caller),
    }),
  }),
  ...endpointsOf(replayOperations),
  endpoint({
    method: 'POST',
    path: '/passports/{agent_id}/sign',
    verb: 'passports',
    tag: 'Passports',
    summary: 'Sign a passport for third parties',
    credential: 'either',
    role: EDITORS,
    scope: 'sign',
    body: { schema: 'SignRequest', optional: true },
    success: { status: 200, description: 'The token.', schema: 'SignedPassport' },
    errors: ['not_found', 'conflict', 'domain_unproven'],
    needs: ({ signing }) => signing.signsPassports,
    handle: async ({ service, caller, params, body }) => ({
      body: await service.passports.sign(params['agent_id'] ?? '', body as SignPassportInput, caller),
    }),
  }),
];

function reply(passport: Passport): Reply {
  return { body: passport, headers: { etag: `"${passport.version}"` } };
}
