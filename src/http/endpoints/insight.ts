import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { AUDIT_TYPES, ENVIRONMENTS, OUTCOME_STATES, VERDICTS } from '../../base/values/vocabulary.ts';
import type { QueryParameter } from '../../operations/operation.ts';
import { ERASERS, MEMBERS } from '../../operations/roles.ts';
import { subject } from '../../schema/fields.ts';
import type { AnalyticsQuery, AuditFilter, SubjectInput, VerificationFilter } from '../../service.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { headerOf } from '../exchange.ts';
import { pageOf, pageParameters } from '../page-query.ts';

const range: readonly QueryParameter[] = [
  { name: 'from', description: 'From this instant on.', schema: { type: 'string', format: 'date-time' } },
  {
    name: 'to',
    description: 'Up to this instant, without it.',
    schema: { type: 'string', format: 'date-time' },
  },
];

/** The query parameter for one agent. */
export const agent: QueryParameter = {
  name: 'agent_id',
  description: 'Only this agent.',
  schema: { type: 'string' },
};

/** The query parameter for one environment. */
export const environmentQuery: QueryParameter = {
  name: 'environment',
  description: 'Only what keys of this environment asked for.',
  schema: { type: 'string', enum: ENVIRONMENTS },
};

const mark: QueryParameter = {
  name: 'bom',
  description: 'true: the CSV begins with a byte order mark, by which spreadsheets know UTF-8.',
  schema: { type: 'boolean' },
};

/** The endpoints of verdict records and of their sums. */
export const insightEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/analytics',
    verb: 'analytics',
    patient: true,
    tag: 'Insight',
    summary: 'Get counts, series, top lists and latencies',
    credential: 'session',
    role: MEMBERS,
    query: [
      ...range,
      {
        name: 'interval',
        description: 'The length of a point of the series; at most 1,000 points.',
        schema: { type: 'string', enum: Object.keys(RESOLUTION_MS), default: 'hour' },
      },
      agent,
      environmentQuery,
    ],
    success: { status: 200, description: 'The analytics, to the whole minute.', schema: 'Analytics' },
    handle: async ({ service, caller, query, signal }) => ({
      body: await service.analytics(query as AnalyticsQuery, { ...caller, signal: signal() }),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/subjects/erase',
    verb: 'subjects',
    patient: true,
    tag: 'Insight',
    summary: 'Erase a subject from records',
    credential: 'session',
    role: ERASERS,
    writes: true,
    body: { schema: 'SubjectRequest' },
    success: { status: 200, description: 'How many records had the subject.', schema: 'SubjectErasure' },
    handle: async ({ service, caller, body }) => ({
      body: await service.subjects.erase(body as SubjectInput, caller),
    }),
  }),
  endpoint({
    method: 'GET',
    path: '/verifications',
    verb: 'verifications',
    patient: true,
    tag: 'Insight',
    summary: 'List verdict records, newest first, or export them as CSV',
    credential: 'session',
    role: MEMBERS,
    query: [
      agent,
      { name: 'verdict', description: 'Only these.', schema: { type: 'string', enum: VERDICTS } },
      { name: 'reason', description: 'Only with a reason of this code.', schema: { type: 'string' } },
      environmentQuery,
      {
        name: 'dry_run',
        description: 'true: only dry runs; false: none of them.',
        schema: { type: 'boolean' },
      },
      { name: 'subject', description: 'Only for this subject, exactly.', schema: subject },
      {
        name: 'outcome',
        description: 'Only with this outcome; none: an ALLOW without a report, no dry run.',
        schema: { type: 'string', enum: OUTCOME_STATES },
      },
      ...range,
      mark,
      ...pageParameters,
    ],
    success: {
      status: 200,
      description: 'A page of verdict records, or the whole list as CSV.',
      schema: 'VerdictPage',
      csv: true,
    },
    async handle({ service, caller, query, rawHeaders, signal }) {
      const options = { ...caller, signal: signal() };
      const { limit, cursor, bom, dry_run, ...others } = query;
      const filter: VerificationFilter = {
        ...(others as Omit<VerificationFilter, 'dry_run'>),
        ...(dry_run !== undefined && { dry_run: dry_run === 'true' }),
      };
      if (!wantsCsv(headerOf(rawHeaders, 'accept'))) {
        const page = pageOf({ ...(limit && { limit }), ...(cursor && { cursor }) });
        return { body: await service.verifications.list({ ...filter, ...page }, options) };
      }
      return csvReply('verifications', await service.verifications.csv(filter, options), bom);
    },
  }),
  endpoint({
    method: 'GET',
    path: '/audit',
    verb: 'audit',
    patient: true,
    tag: 'Insight',
    summary: 'List the audit trail, newest first, or export it as CSV',
    credential: 'session',
    role: MEMBERS,
    query: [
      {
        name: 'type',
        description: 'Only changes of this type.',
        schema: { type: 'string', enum: AUDIT_TYPES },
      },
      {
        name: 'by',
        description: 'Only changes by this author: mem_…, key_… or operator.',
        schema: { type: 'string' },
      },
      ...range,
      mark,
      ...pageParameters,
    ],
    success: {
      status: 200,
      description: 'A page of changes, or the whole list as CSV.',
      schema: 'AuditPage',
      csv: true,
    },
    async handle({ service, caller, query, rawHeaders, signal }) {
      const options = { ...caller, signal: signal() };
      const { limit, cursor, bom, ...filter } = query;
      if (wantsCsv(headerOf(rawHeaders, 'accept')))
        return csvReply('audit', await service.audit.csv(filter as AuditFilter, options), bom);
      const page = pageOf({ ...(limit && { limit }), ...(cursor && { cursor }) });
      return { body: await service.audit.list({ ...(filter as AuditFilter), ...page }, options) };
    },
  }),
];

function csvReply(name: string, text: AsyncIterable<string>, bom: string | undefined) {
  return {
    body: bom === 'true' ? marked(text) : text,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  };
}

async function* marked(text: AsyncIterable<string>): AsyncIterable<string> {
  yield '\ufeff';
  yield* text;
}

/** Says whether the client asks for CSV by name with a weight above 0. `*` gets JSON. */
function wantsCsv(accept: string | undefined): boolean {
  const isCsv = (range: string): boolean => /^[ \t]*text\/csv[ \t]*(;|$)/i.test(range);
  const isRefused = (range: string): boolean => /;[ \t]*q=0(\.0{0,3})?[ \t]*$/i.test(range);
  return (accept ?? '').split(',').some((range) => isCsv(range) && !isRefused(range));
}
