/** Changes of a passport, and the journals that they are tried on. */
import type { PassportInput, PassportPatch } from '../../../src/records.ts';
import { type JournalTerms, type MadeJournal, randomFields } from './journal.ts';
import type { Random } from './random.ts';

/** A random change of the agent that is replayed. */
export function randomPatch(random: Random, made: MadeJournal, terms: JournalTerms): PassportPatch {
  const fields = randomFields(random, terms) as PassportPatch;
  const root = made.passports[1] as PassportInput;
  const { budgets: _, approval: __, ...others } = fields;
  if (random.chance(0.3)) return { ...without(root, fields), ...fields };
  // Most changes are small.
  const names = Object.keys(others).filter((name) => !['currency', 'monetary_actions'].includes(name));
  const name = random.pick(names) as keyof typeof others;
  if (root.budgets !== undefined && random.chance(0.5)) {
    const changed = root.budgets.map((budget) =>
      budget.limit === undefined
        ? { ...budget, count: random.pick([1, 3, 8, 30]) }
        : { ...budget, limit: random.pick([10, 40, 300]) },
    );
    return { budgets: changed };
  }
  return { [name]: others[name] };
}

/** What a patch has to remove so that only its own fields are left. */
function without(root: PassportInput, fields: PassportPatch): PassportPatch {
  const names = Object.keys(root).filter(
    (name) => !['domain', 'agent_name', 'parent_agent_id'].includes(name),
  );
  return Object.fromEntries(names.filter((name) => !(name in fields)).map((name) => [name, null]));
}

/** The kinds of journals that are tried. */
export const KINDS: Readonly<Record<string, Omit<JournalTerms, 'records'>>> = {
  'rules alone': {},
  budgets: { budgets: true },
  'budgets in a hurry': { budgets: true, stepMs: 100 },
  holds: { budgets: true, holds: true },
  refunds: { budgets: true, holds: true, refunds: true },
};
