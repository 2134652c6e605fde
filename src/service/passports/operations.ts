import { PASSPORT_STATUSES } from '../../base/values/passport-status.ts';
import { ENVIRONMENTS } from '../../base/values/vocabulary.ts';
import type { TableOf } from '../../operations/operation.ts';
import { PAGE } from '../../operations/parameters.ts';
import { EDITORS, ERASERS, MEMBERS, STOPPERS } from '../../operations/roles.ts';
import type { Passports } from './passports.ts';
import type { StateChanges } from './revocation.ts';

const PASSPORT = ['agent_id', 'version'];

/** The table of `service.passports`. */
export const passportOperations: TableOf<Omit<Passports, 'sign'>, 'passports'> = {
  room: 'passports',
  tag: 'Passports',
  operations: {
    create: {
      http: 'POST /passports',
      summary: 'Issue a passport',
      roles: EDITORS,
      body: 'PassportRequest',
      headers: ['Idempotency-Key'],
      status: 201,
      answer: 'Passport',
      returns: 'The passport.',
      has: PASSPORT,
      hasEtag: true,
      errors: ['already_exists', 'domain_claimed', 'domain_unproven', 'plan_limit_reached'],
      counts: 'write',
      options: ['standing'],
    },
    list: {
      http: 'GET /passports',
      summary: 'List the passports, newest first',
      roles: MEMBERS,
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
          grammar: 'domain',
        },
        {
          name: 'parent_agent_id',
          description: 'Only the helpers of this agent.',
          schema: { type: 'string' },
          grammar: 'agent_id',
        },
        ...PAGE,
      ],
      status: 200,
      answer: 'PassportPage',
      returns: 'A page of passports.',
      isAbortable: true,
    },
    get: {
      http: 'GET /passports/{agent_id}',
      summary: 'Show a passport',
      roles: MEMBERS,
      status: 200,
      answer: 'Passport',
      returns: 'The passport; ETag is its version.',
      has: PASSPORT,
      hasEtag: true,
      errors: ['not_found'],
    },
    versions: {
      http: 'GET /passports/{agent_id}/versions',
      summary: 'List the versions of a passport and their authors, newest first',
      roles: MEMBERS,
      query: 'page',
      status: 200,
      answer: 'PassportVersionPage',
      returns: 'A page of versions.',
      errors: ['not_found'],
      isAbortable: true,
    },
    budgets: {
      http: 'GET /passports/{agent_id}/budgets',
      summary: 'Show spent, held and remaining amounts of the budgets of a passport',
      roles: MEMBERS,
      query: [
        {
          name: 'environment',
          description: 'Each environment has its own budgets; default live.',
          schema: { type: 'string', enum: ENVIRONMENTS },
        },
      ],
      status: 200,
      answer: 'BudgetList',
      returns: 'The budgets, in the order of the passport.',
      has: ['data'],
      errors: ['not_found'],
    },
    effective: {
      http: 'GET /passports/{agent_id}/effective',
      summary: 'Show what a passport and its parents allow together',
      roles: MEMBERS,
      status: 200,
      answer: 'EffectivePassport',
      returns: 'The intersection, for people to read.',
      has: ['agent_id', 'ancestors'],
      errors: ['not_found'],
      limit: 'effective',
      isAbortable: true,
    },
    update: {
      http: 'PATCH /passports/{agent_id}',
      summary: 'Change a passport by JSON Merge Patch',
      roles: EDITORS,
      body: 'PassportPatch',
      isMergePatch: true,
      headers: ['If-Match', 'If-Narrower', 'Approval-Id'],
      status: 200,
      answer: 'Passport',
      returns: 'The passport as it is now.',
      has: PASSPORT,
      hasEtag: true,
      errors: ['not_found', 'conflict', 'version_mismatch', 'would_widen', 'second_person_required'],
      counts: 'write',
    },
    purge: {
      http: 'DELETE /passports/{agent_id}',
      summary: 'Erase a revoked agent except its id',
      roles: ERASERS,
      status: 204,
      returns: 'Only the id of the passport is left; the rest is being erased.',
      errors: ['not_found', 'conflict'],
    },
    try: {
      http: 'POST /passports/{agent_id}/try',
      summary: 'Try an intent on a passport, with or without a change',
      roles: MEMBERS,
      body: 'TryRequest',
      status: 200,
      answer: 'Verdict',
      returns: 'The verdict, with every reason.',
      errors: ['not_found', 'conflict'],
      limit: 'try',
    },
  },
};

/** The table of `service.passports.sign`, for a service that signs passports. */
export const signOperations: TableOf<Pick<Passports, 'sign'>, 'passports'> = {
  room: 'passports',
  tag: 'Passports',
  operations: {
    sign: {
      http: 'POST /passports/{agent_id}/sign',
      summary: 'Sign a passport for third parties',
      roles: EDITORS,
      scope: 'sign',
      body: 'SignRequest',
      isBodyOptional: true,
      status: 200,
      answer: 'SignedPassport',
      returns: 'The token.',
      errors: ['not_found', 'conflict', 'domain_unproven'],
    },
  },
};

export const stateOperations: TableOf<StateChanges, ''> = {
  room: '',
  tag: 'Verdicts',
  operations: {
    revoke: {
      http: 'POST /revoke',
      summary: 'Revoke a passport permanently',
      roles: STOPPERS,
      scope: 'revoke',
      body: 'RevokeRequest',
      status: 200,
      answer: 'Revocation',
      returns: 'Revoked; again: the first time.',
      errors: ['not_found'],
    },
    suspend: {
      http: 'POST /suspend',
      summary: 'Suspend a passport for a while',
      roles: STOPPERS,
      scope: 'revoke',
      body: 'SuspendRequest',
      status: 200,
      answer: 'Suspension',
      returns: 'Suspended.',
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
    reinstate: {
      http: 'POST /reinstate',
      summary: 'End a suspension',
      roles: EDITORS,
      scope: 'reinstate',
      body: 'ReinstateRequest',
      status: 200,
      answer: 'Reinstatement',
      returns: 'The suspension is over.',
      errors: ['not_found', 'conflict'],
      counts: 'write',
    },
  },
};
