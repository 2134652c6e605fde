/** The confirmation of differences: `decide` judges each of them under both passports before it is shown. */
import { formatInstant } from '../../base/values/instant.ts';
import type { Difference } from '../../records/comparison.ts';
import type { Intent, Verdict } from '../../records.ts';
import { decide } from '../decide.ts';
import type { Probe } from './scene.ts';
import type { ReadableSide, Side } from './side.ts';

/**
 * Returns the difference that a question shows. Where `decide` does not confirm it, it has no intent: it still counts,
 * so that no error makes a passport look narrower than it is.
 */
export function differenceOf(allowing: ReadableSide, denying: Side, probe: Probe): Difference {
  const { code, action, target, parameters, at, allowed, denied } = probe;
  if (probe.isUnseen)
    return { code, reasons: [], intent: null, at: formatInstant(at), allowed: {}, denied: {} };
  const intent: Intent = {
    agent_id: allowing.agent_id,
    action,
    ...(target !== undefined && { target }),
    ...(parameters !== undefined && { parameters }),
  };
  const ask = ({ passport, ancestors }: Side, asked: Difference['allowed']): Verdict =>
    decide({ passport, intent, at, ancestors, ...asked });
  const { verdict } = ask(allowing, allowed);
  // Where the parents differ, only the denying passport lacks its own.
  const isParentLost = code === 'parent_not_found';
  const { reasons } = ask(isParentLost ? { ...denying, ancestors: [] } : denying, denied);
  const [first] = reasons;
  const isConfirmed = verdict === 'ALLOW' && first !== undefined;
  return {
    code: isConfirmed ? first.code : code,
    reasons,
    intent: isConfirmed ? intent : null,
    at: formatInstant(at),
    allowed,
    denied,
  };
}
