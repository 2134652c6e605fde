import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { TableOf } from '../operations/operation.ts';
import { AGENT, ENVIRONMENT, RANGE } from '../operations/parameters.ts';
import { MEMBERS } from '../operations/roles.ts';
import type { AskAnalytics } from './analytics.ts';

export const analyticsOperations: TableOf<{ readonly analytics: AskAnalytics }, ''> = {
  room: '',
  tag: 'Insight',
  operations: {
    analytics: {
      http: 'GET /analytics',
      summary: 'Get counts, series, top lists and latencies',
      roles: MEMBERS,
      managementScope: 'analytics:read',
      query: [
        ...RANGE,
        {
          name: 'interval',
          description: 'The length of a point of the series; at most 1,000 points.',
          schema: { type: 'string', enum: Object.keys(RESOLUTION_MS), default: 'hour' },
        },
        AGENT,
        ENVIRONMENT,
      ],
      status: 200,
      answer: 'Analytics',
      returns: 'The analytics, to the whole minute.',
      has: ['overview', 'series'],
      isPatient: true,
      isAbortable: true,
    },
  },
};
