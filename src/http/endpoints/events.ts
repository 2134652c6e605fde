import { AGENT, ENVIRONMENT } from '../../operations/parameters.ts';
import { MEMBERS } from '../../operations/roles.ts';
import type { Environment } from '../../records.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { eventBody, headerOf } from '../exchange.ts';

export const eventEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/events',
    room: 'events',
    patient: true,
    tag: 'Insight',
    summary: 'Stream the events of the account',
    credential: 'either',
    role: MEMBERS,
    scope: 'events',
    management: ['verifications:read', 'audit:read'],
    query: [
      {
        name: 'types',
        description: 'Only these types, such as `passport.*,verdict.denied`.',
        schema: { type: 'string' },
      },
      AGENT,
      ENVIRONMENT,
      {
        name: 'after',
        description: 'Continues after the event of this id, as with the header Last-Event-ID.',
        schema: { type: 'string' },
        grammar: 'event_id',
      },
    ],
    success: {
      status: 200,
      description:
        'The events, until the credential ends. An event has `id`, `type`, `timestamp` and `data`.',
      events: true,
    },
    errors: ['rate_limited', 'overloaded'],
    async handle({ service, caller, query, rawHeaders, signal }) {
      const { types, agent_id, environment, after } = query;
      const last = headerOf(rawHeaders, 'last-event-id') || after;
      const askedQuery = {
        ...(types !== undefined && { types: types.split(',') }),
        ...(agent_id !== undefined && { agent_id }),
        ...(environment !== undefined && { environment: environment as Environment }),
        ...(last !== undefined && { after: last }),
      };
      const stream = await service.events.open(askedQuery, { ...caller, signal: signal() });
      // Tells proxies such as nginx, and `compression` of Express, not to buffer the events.
      const headers = {
        'cache-control': 'no-store, no-transform',
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      };
      return { body: eventBody(stream), headers };
    },
  }),
];
