import type { Backend } from '../backend/methods.ts';
import type { Step } from './plan.ts';

const DAY_MS = 24 * 60 * 60_000;

export async function replayChanges(
  { passports }: { readonly passports: Pick<Backend['passports'], 'replay'> },
  steps: readonly Step[],
  days: number,
): Promise<void> {
  const instant = new Date(Date.now() - days * DAY_MS).toISOString();
  for (const step of steps) {
    if (step.comparison === null || step.before === undefined || step.fields.length === 0) continue;
    const { agent_id, patch } = step;
    const { covered, judged, unknown, by_change } = await passports.replay(agent_id, {
      from: instant,
      patch,
      examples: 0,
    });
    step.replay = {
      judged,
      ...by_change,
      unknown: Object.values(unknown).reduce((sum, count) => sum + count, 0),
      complete: covered.complete,
    };
  }
}
