import type { ComparisonResult, PassportReplay, UnknownCode } from '../../../../src/types.ts';
import { count, plural } from './words.ts';

export const RESULTS: Readonly<Record<ComparisonResult, string>> = {
  equal: 'Nothing: the same intents are allowed.',
  narrower: 'Narrower: less is allowed, and nothing more.',
  wider: 'Wider: more is allowed.',
  crossing: 'Crossing: more is allowed in one place, less in another.',
};

const CAUSES: Readonly<Record<UnknownCode, string>> = {
  not_seen: 'the caller did not see the agent',
  amount: 'the amount was not readable, and the currency has changed',
  proof: 'whether a proof would be valid is not recorded',
  approval: 'the state of an approval is not recorded',
  holds: 'the agent had too many holds',
  usage: 'a unit decides',
  budget: 'the budget began before the records that are kept',
  history: 'an order, a pace or a rolling budget has changed, or was not asked then',
  given_back: 'an amount was refunded to the budget around that moment',
  order: 'the order of the records around that moment is not certain',
  parameters: 'a rule of the application reads parameters that are not recorded',
  erased: 'a rule of the application reads a subject that was erased',
  version: 'the passport of that moment is not kept',
};

export function replaySentences(replay: PassportReplay): readonly string[] {
  const { judged, by_change, reasons, unknown, covered, dropped } = replay;
  const asked = reasons.find(({ code }) => code === 'approval_required')?.count ?? 0;
  return [
    `Of ${plural(judged, 'verdict')} this change alone denies ${count(by_change.now_denied)} and allows ${count(by_change.now_allowed)}.`,
    ...(asked === 0 ? [] : [`${count(asked)} of the denied intents would ask a person.`]),
    ...Object.entries(unknown).map(
      ([code, number]) => `${count(number)} are unknown: ${CAUSES[code as UnknownCode]}.`,
    ),
    ...(covered.complete ? [] : ['Older verdicts of this time were not read.']),
    ...(dropped === 0 ? [] : [`${plural(dropped, 'record')} of the account are reported lost in this time.`]),
  ];
}
