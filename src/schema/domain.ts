import { DOMAIN_STATUSES } from '../base/values/vocabulary.ts';
import type { DomainClaim } from '../records/domain.ts';
import { instant } from './fields.ts';
import { answer, type JsonSchema, nullable } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const timeSchema = nullable(instant);

export const domainProof: Readonly<Record<'token' | 'dns' | 'https', JsonSchema>> = {
  token: { type: 'string', description: 'The token that verifies the domain once it is published.' },
  dns: answer({ name: text, value: text }),
  https: answer({ url: text, body: text }),
};

export const domainClaim: JsonSchema = answer<DomainClaim>(
  {
    domain: { type: 'string', description: 'The host, without port.' },
    account_id: text,
    status: { type: 'string', enum: DOMAIN_STATUSES },
    method: nullable({ type: 'string', enum: ['dns', 'https', null] }),
    proven_at: timeSchema,
    checked_at: timeSchema,
    ...domainProof,
    expires_at: timeSchema,
    created_at: instant,
    changed_at: timeSchema,
    changed_by: nullable(text),
  },
  ['token', 'dns', 'https', 'expires_at'],
);
