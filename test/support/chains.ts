import * as fc from 'fast-check';
import { MAX_ANCESTORS } from '../../src/base/values/field-limits.ts';
import type { ProofRequirement } from '../../src/records.ts';
import {
  callerArbitrary,
  intentArbitrary,
  type OwnedPassport,
  type PlainQuestion,
  passportArbitrary,
  questionArbitrary,
} from '../../src/testing/arbitraries.ts';
import { budgetedArbitrary } from '../../src/testing/budget-arbitraries.ts';
import { prepare, type Question, type SpentBudgets } from '../../src/verdict/index.ts';
import { textbookCodes } from './textbook.ts';

/** A question about an agent with a parent, and the passports above it, nearest first. */
export interface ChainQuestion extends PlainQuestion {
  readonly ancestors: readonly OwnedPassport[];
}

/** Questions about agents with one to four others above them; both verdicts are frequent. */
function chainArbitrary(): fc.Arbitrary<ChainQuestion> {
  return questionArbitrary().chain((question) =>
    fc
      .array(ancestorArbitrary(question.passport), { minLength: 1, maxLength: MAX_ANCESTORS })
      .map((above) => linked(question, above)),
  );
}

/** Questions about one agent and those above it, and what asks `decide` each of them. */
export interface Family {
  readonly passport: OwnedPassport;
  readonly ancestors: readonly OwnedPassport[];
  readonly questions: readonly ChainQuestion[];
  /** The question with passports that were prepared once for all of them. */
  prepared(question: ChainQuestion): Question;
}

/** How many questions a family is asked: making its passports takes longer than all the verdicts on them. */
export const QUESTIONS = 20;

/** Families, each with `QUESTIONS` questions that differ in the intent, the instant and the caller. */
export function familyArbitrary(): fc.Arbitrary<Family> {
  return chainArbitrary().chain((first) => {
    const other = fc.record({
      intent: intentArbitrary(first.passport),
      at: fc.nat({ max: 24 }).map((hour) => MIDNIGHT + hour * HOUR_MS),
      caller: fc.oneof(
        { weight: 9, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: callerArbitrary(first.passport) },
      ),
    });
    const others = fc.array(other, { minLength: QUESTIONS - 1, maxLength: QUESTIONS - 1 });
    return others.map((all) => familyOf(first, all));
  });
}

const MIDNIGHT = Date.parse('2026-11-20T00:00:00.000Z');
const HOUR_MS = 3_600_000;

function familyOf(first: ChainQuestion, others: readonly Partial<ChainQuestion>[]): Family {
  const { passport, ancestors } = first;
  let ready: Pick<Question, 'passport' | 'ancestors'> | undefined;
  return {
    passport,
    ancestors,
    questions: [first, ...others.map((other) => ({ ...first, ...other }))],
    prepared(question) {
      ready ??= { passport: prepare(passport), ancestors: ancestors.map((one) => prepare(one)) };
      return { ...question, ...ready };
    },
  };
}

/** The `agent_id` of the ancestor at this place. */
export function ancestorId(place: number): string {
  return `did:web:shop.example.com:agents:above-${place}`;
}

/**
 * Returns the codes that a chain must give. Each passport is evaluated alone by the textbook. `parent_denied` has its
 * reason.
 */
export function chainCodes({ ancestors, ...question }: ChainQuestion): string[] {
  const { passport, intent, budgets } = question;
  const { proof: _, approval, ...plain } = question;
  const ownCodes = tableCodes({ ...plain, passport });
  if (ownCodes[0] === 'agent_not_found') return ownCodes;
  if (!Number.isFinite(question.at)) return ['rule_failed'];
  const asked = ancestors.map((above) => ({
    ...plain,
    passport: above,
    intent: { ...intent, agent_id: above.agent_id },
    caller: null,
  }));
  const above = asked.flatMap((one) => tableCodes(one).map((code) => `parent_denied ${code}`));
  const strongest = STRENGTHS.findLast((word) => [passport, ...ancestors].some((one) => one.proof === word));
  const required = { ...passport, budgets: [], proof: strongest ?? 'optional' };
  const proofCodes = textbookCodes({ ...question, passport: required }).filter((code) =>
    /^proof_/.test(code),
  );
  const codes = [...ownCodes, ...above, ...proofCodes];
  if (codes.length > 0) return codes;
  const all = [{ ...plain, passport }, ...asked];
  const ofBudgets = all.flatMap((one) =>
    textbookCodes({
      ...one,
      ...(budgets && { budgets }),
      passport: { ...unapproved(one.passport), proof: 'optional' },
    }),
  );
  if (ofBudgets.includes('budget_unknown')) return ['budget_unknown'];
  if (ofBudgets.length > 0) return ofBudgets;
  const ofApprovals = all.flatMap((one) =>
    textbookCodes({
      ...one,
      ...(approval && { approval }),
      passport: { ...one.passport, budgets: [], proof: 'optional' },
    }),
  );
  // One approval for all of them.
  return ofApprovals.slice(0, 1);
}

const STRENGTHS: readonly ProofRequirement[] = ['optional', 'identity', 'intent'];

function unapproved({ approval: _, ...passport }: OwnedPassport): OwnedPassport {
  return passport;
}

function tableCodes(question: PlainQuestion): string[] {
  const passport = { ...unapproved(question.passport), proof: 'optional' as const };
  return textbookCodes({ ...question, passport }).filter((code) => !/^budget_/.test(code));
}

interface Above {
  readonly passport: OwnedPassport;
  readonly budgets: SpentBudgets | undefined;
}

/** Mostly one with the terms of the child, so that much is allowed; else any. */
function ancestorArbitrary(child: OwnedPassport): fc.Arbitrary<Above> {
  const { budgets: _, proof: __, ...same } = child;
  const base = fc.oneof(
    { weight: 3, arbitrary: fc.constant(same) },
    { weight: 1, arbitrary: fc.constant({ ...same, allowed_actions: ['*'], status: 'active' as const }) },
    { weight: 2, arbitrary: passportArbitrary() },
  );
  const proof = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom<ProofRequirement>('optional', 'identity', 'intent') },
  );
  return fc.tuple(base, proof).chain(([passport, required]) =>
    budgetedArbitrary(passport).map(({ own, budgets }) => ({
      passport: { ...passport, ...own, ...(required !== undefined && { proof: required }) },
      budgets,
    })),
  );
}

function linked(question: PlainQuestion, above: readonly Above[]): ChainQuestion {
  const ancestors = above.map(
    ({ passport: { parent_agent_id: _, ...passport } }, place): OwnedPassport => ({
      ...passport,
      agent_name: `above-${place}`,
      agent_id: ancestorId(place),
      ...(place + 1 < above.length && { parent_agent_id: ancestorId(place + 1) }),
    }),
  );
  const spent = above.flatMap(({ passport, budgets }, place) => {
    const state = budgets?.[passport.agent_id];
    return state === undefined ? [] : [[ancestorId(place), state] as const];
  });
  const { budgets, ...rest } = question;
  const known = { ...budgets, ...Object.fromEntries(spent) };
  return {
    ...rest,
    passport: { ...question.passport, parent_agent_id: ancestorId(0) },
    ancestors,
    ...((budgets !== undefined || spent.length > 0) && { budgets: known }),
  };
}
