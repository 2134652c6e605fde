/** The boundaries of an AIP document, in the fields of a passport. */
import { isAction } from '../base/values/action.ts';
import { parseAgentId } from '../base/values/agent-id.ts';
import { formatInstant } from '../base/values/instant.ts';
import type { PassportInput } from '../records.ts';
import { type Boundaries, earliestExpiry, partOf, readBoundaries, refused } from './read-parts.ts';

/**
 * The restrictions of a document that a passport cannot express, so that it allows more. `allow-all`: in AIP an empty
 * list of actions allows all of them. `no-limit`: in AIP a limit of 0 is no limit. Passports have no field for the
 * others.
 */
export const AIP_LOSSES = [
  'allow-all',
  'no-limit',
  'geo_restriction',
  'time_window',
  'data_access',
  'per_day',
] as const;

/** A restriction that is lost. */
export type AipLoss = (typeof AIP_LOSSES)[number];

/** A passport derived from a document. */
export interface AipPassport {
  readonly input: PassportInput;
  /** The restrictions of the document that the passport lacks. */
  readonly losses: readonly AipLoss[];
  /** The members of the document that restrict nothing, and have no place in a passport. */
  readonly unplaced: readonly string[];
}

/** The highest limit that a passport can have. */
export const NO_LIMIT = '1000000000000000';

/**
 * Converts an AIP passport (with `identity`) or envelope (with `agent`) into a passport; throws `invalid_request` for
 * anything else. Checks no signature. The service that issues the passport checks the grammar of its fields.
 */
export function passportOfAip(document: unknown): AipPassport {
  const whole = partOf(document, '');
  const subject = Object.hasOwn(whole, 'agent') ? 'agent' : 'identity';
  const agent = partOf(whole[subject], `/${subject}`);
  const { id } = agent;
  const named = typeof id === 'string' ? parseAgentId(id, { allowLocalhost: true }) : undefined;
  if (named === undefined) {
    throw refused(`/${subject}/id`, 'This must be did:web:<domain>:agents:<agent_name>, in our grammar.');
  }
  const boundaries = readBoundaries(whole['boundaries'], '/boundaries');
  demandActions(boundaries);
  const { denied, currency } = boundaries;
  const expires = earliestExpiry(whole['principal']);
  return {
    input: {
      ...named,
      ...allowedBy(boundaries),
      currency,
      ...(denied.length > 0 && { denied_actions: denied }),
      ...(expires !== undefined && { expires_at: formatInstant(expires) }),
    },
    losses: lossesOf(boundaries),
    unplaced: [
      ...Object.keys(whole).filter((name) => name !== subject && name !== 'boundaries'),
      ...Object.keys(agent)
        .filter((name) => name !== 'id')
        .map((name) => `${subject}.${name}`),
    ],
  };
}

function allowedBy({ allowed, perTransaction, perDay }: Boundaries) {
  const isAll = allowed.length === 0;
  return {
    allowed_actions: isAll ? ['*'] : allowed,
    monetary_limit_per_txn: perTransaction === '0' ? NO_LIMIT : perTransaction,
    ...(perDay !== '0' &&
      !isAll && { budgets: [{ window: 'day' as const, limit: perDay, actions: allowed }] }),
  };
}

function lossesOf({ allowed, perTransaction, perDay, geo, window, hasDataAccess }: Boundaries) {
  const isAll = allowed.length === 0;
  const isLost: Readonly<Record<AipLoss, boolean>> = {
    'allow-all': isAll,
    'no-limit': perTransaction === '0',
    geo_restriction: geo !== undefined,
    time_window: window !== undefined,
    data_access: hasDataAccess,
    per_day: perDay !== '0' && isAll,
  };
  return AIP_LOSSES.filter((loss) => isLost[loss]);
}

/**
 * Refuses actions with a wildcard: in AIP an action is one exact string, while `orders.*` in a passport covers many.
 */
function demandActions({ allowed, denied }: Boundaries): void {
  for (const [name, actions] of Object.entries({ allowed_actions: allowed, denied_actions: denied })) {
    for (const action of actions) {
      if (isAction(action)) continue;
      throw refused(
        `/boundaries/${name}`,
        `${JSON.stringify(action)} is not an action such as payments.create.`,
      );
    }
  }
}
