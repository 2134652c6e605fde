/** Evaluates the conditions of passports on a record, which has no parameters except amount and currency. */
import { impliesTest } from '../base/values/conditions/implied.ts';
import { isSameJson } from '../base/values/same-json.ts';
import type { Reason } from '../records.ts';
import {
  conditionReason,
  conditionsOn,
  failedConditions,
  type PolicyCondition,
} from '../verdict/conditions.ts';
import type { PreparedPassport } from '../verdict/index.ts';
import { PARENT_DENIED } from '../verdict/rules.ts';
import { type PassportChain, policyIn } from './chains.ts';
import type { AskedRow } from './recorded-reasons.ts';
import { isOfCondition } from './recorded-reasons.ts';

export interface ConditionsAgain {
  readonly reasons: readonly Reason[];
  /** `true` if a condition needs parameters that were not recorded. */
  readonly isOpen: boolean;
}

const NO_CONDITIONS: ConditionsAgain = { reasons: [], isOpen: false };

const RECORDED: readonly string[] = ['/amount', '/currency'];

/**
 * Evaluates the conditions of a chain on a record. Records do not contain all parameters, so some results follow from
 * the recorded verdict. An allowed record passed each condition of its passport version, and thus also passes each
 * condition that is no stricter. A record that a condition denied fails the same condition again.
 */
export function conditionsAgain(
  row: AskedRow,
  chain: PassportChain,
  recordedChain: PassportChain | undefined,
): ConditionsAgain {
  if (!chain.hasConditions) return NO_CONDITIONS;
  const reasons: Reason[] = [];
  let isOpen = false;
  for (const [place, passport] of chain.all.entries()) {
    const parent = place === 0 ? undefined : idOf(passport);
    const passportBefore = recordedChain?.all.find((entry) => idOf(entry) === idOf(passport));
    for (const condition of conditionsIn(passport, row.action)) {
      const failure = failureAgain(row, condition, { parent, before: passportBefore });
      if (failure === OPEN) isOpen = true;
      else if (failure !== undefined) reasons.push(parent === undefined ? failure : above(failure, parent));
    }
  }
  return { reasons, isOpen };
}

/** The value for a result that is unknown. */
const OPEN: unique symbol = Symbol();

type Failure = Reason | typeof OPEN | undefined;

function idOf({ passport }: PreparedPassport): string {
  return passport.agent_id;
}

function conditionsIn(passport: PreparedPassport, action: string): readonly PolicyCondition[] {
  const conditions = policyIn(passport)?.conditions;
  return conditions === undefined ? [] : conditionsOn(conditions, action);
}

interface RecordedPassport {
  readonly parent: string | undefined;
  readonly before: PreparedPassport | undefined;
}

function failureAgain(
  row: AskedRow,
  condition: PolicyCondition,
  recordedPassport: RecordedPassport,
): Failure {
  if (RECORDED.includes(condition.at)) return failureOfMoney(row, condition);
  return failureAsRecorded(row, condition, recordedPassport);
}

/**
 * Evaluates a condition on the amount or the currency. The record does not say whether the amount was a number or text.
 */
function failureOfMoney({ action, amount, currency }: AskedRow, condition: PolicyCondition): Failure {
  if (amount === null || currency === null) return OPEN;
  const conditions = { all: [condition], byAction: new Map() };
  const spellings = amount === undefined ? [undefined] : [amount, String(amount)];
  const foundConditions = spellings.map((spelledAmount) => {
    const parameters = {
      ...(spelledAmount !== undefined && { amount: spelledAmount }),
      ...(currency !== undefined && { currency }),
    };
    return failedConditions(conditions, action, parameters)[0];
  });
  const [first] = foundConditions;
  if (!foundConditions.every((condition) => isSameJson(condition ?? null, first ?? null))) return OPEN;
  return first && conditionReason(first);
}

function failureAsRecorded(
  { action, codes, standing }: AskedRow,
  condition: PolicyCondition,
  { parent, before }: RecordedPassport,
): Failure {
  const blockPlace = (before === undefined ? [] : conditionsIn(before, action)).filter(
    ({ at }) => at === condition.at,
  );
  if (codes.isAllow) {
    return blockPlace.some((entry) => impliesTest(entry.condition, condition.condition)) ? undefined : OPEN;
  }
  const stands = standing.conditions.find(
    (reason) => reason['parent'] === parent && reason['at'] === condition.at,
  );
  const isSame = blockPlace.length === 1 && isSameJson(blockPlace[0]?.condition, condition.condition);
  if (stands === undefined || !isSame) return OPEN;
  const { code, reason, message: _, parent: __, ...facts } = stands;
  const ownText = parent === undefined ? code : String(reason);
  return conditionReason({ code: ownText as 'parameter_required', facts: facts as { at: string } });
}

function above({ code: reason, message: _, ...facts }: Reason, parent: string): Reason {
  return { ...PARENT_DENIED, parent, reason, ...facts };
}

export function withoutConditions(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter((reason) => !isOfCondition(reason));
}
