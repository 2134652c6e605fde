/** What may happen to a journal that several services share. */
import * as fc from 'fast-check';
import type { Environment } from '../../../src/records.ts';
import { HOUR, MINUTE } from '../../support/service.ts';

export const SERVICES = 3;
export const ACCOUNTS = 2;

/** One thing that happens to one service. */
export type Step =
  /** The given number of verdicts with one question each. */
  | {
      readonly step: 'ask';
      readonly service: number;
      readonly account: number;
      readonly agent: number;
      readonly action: number;
      readonly environment: Environment;
      readonly dry_run: boolean;
      readonly times: number;
    }
  | { readonly step: 'move'; readonly service: number; readonly ms: number }
  /** It stores what waits of an account; the storage may refuse it, or lose the answer. */
  | {
      readonly step: 'file';
      readonly service: number;
      readonly account: number;
      readonly fault: 'none' | 'refused' | 'lost';
    }
  /** It merges and compacts while other things go on. */
  | { readonly step: 'maintain'; readonly service: number }
  | ({ readonly step: 'look' } & Look);

/** A look at an account through one service. */
export interface Look {
  readonly service: number;
  readonly account: number;
  readonly agent: number | undefined;
  readonly verdict: 'ALLOW' | 'DENY' | undefined;
  readonly reason: string | undefined;
  readonly environment: Environment | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
}

const service = fc.nat(SERVICES - 1);
const account = fc.nat(ACCOUNTS - 1);
const agent = fc.nat(3);
const environment = fc.constantFrom<Environment>('live', 'live', 'live', 'test');
const instant = fc.oneof(fc.constant(0), fc.integer({ min: -3 * HOUR, max: 3 * HOUR }));
const minutes = instant.map((ms) => Math.floor(ms / MINUTE) * MINUTE);

const ask = fc.record({
  step: fc.constant('ask' as const),
  service,
  account,
  agent,
  // The first ones are allowed; the others are invented.
  action: fc.oneof(fc.nat(2), fc.nat(400)),
  environment,
  dry_run: fc.constantFrom(false, false, false, true),
  times: fc.constantFrom(1, 1, 1, 2, 5, 40),
});
const move = fc.record({
  step: fc.constant('move' as const),
  service,
  ms: fc.oneof(
    fc.constantFrom(1, 1, 999, MINUTE),
    fc.integer({ min: -90 * MINUTE, max: 90 * MINUTE }),
    fc.integer({ min: -20, max: 20 }),
  ),
});
const file = fc.record({
  step: fc.constant('file' as const),
  service,
  account,
  fault: fc.constantFrom<'none' | 'refused' | 'lost'>(
    'none',
    'none',
    'none',
    'none',
    'none',
    'lost',
    'refused',
  ),
});
const maintain = fc.record({ step: fc.constant('maintain' as const), service });
const look = fc.record({
  step: fc.constant('look' as const),
  service,
  account,
  agent: fc.option(agent, { nil: undefined }),
  verdict: fc.constantFrom(undefined, undefined, 'ALLOW' as const, 'DENY' as const),
  reason: fc.constantFrom(undefined, undefined, undefined, 'agent_not_found', 'action_not_allowed'),
  environment: fc.option(environment, { nil: undefined }),
  from: fc.option(minutes, { nil: undefined }),
  to: fc.option(minutes, { nil: undefined }),
  limit: fc.constantFrom(1, 3, 7, 50, 100),
});

/** Much is filed in small pieces, so that there is something to compact. */
const busy = fc
  .record({ service, account, rounds: fc.integer({ min: 8, max: 20 }), asked: ask })
  .map(({ rounds, asked, ...of }): Step[] =>
    Array.from({ length: rounds }, (_, round): Step[] => [
      { ...asked, ...of, times: 1 + (round % 3) },
      { step: 'move', service: of.service, ms: round },
      { step: 'file', ...of, fault: 'none' },
    ]).flat(),
  );

/** What happens, one after the other. */
export const histories: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: ask.map((step): Step[] => [step]) },
      { weight: 3, arbitrary: move.map((step): Step[] => [step]) },
      { weight: 4, arbitrary: file.map((step): Step[] => [step]) },
      { weight: 3, arbitrary: maintain.map((step): Step[] => [step]) },
      { weight: 2, arbitrary: look.map((step): Step[] => [step]) },
      { weight: 2, arbitrary: busy },
    ),
    { minLength: 4, maxLength: 30 },
  )
  .map((parts) => parts.flat());
