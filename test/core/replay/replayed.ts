/** A replay of which every record is seen. */
import { onTestFinished } from 'vitest';
import { checkOptions } from '../../../src/core/setup/checked-options.ts';
import { openContext } from '../../../src/core/setup/open-context.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { PassportReplay } from '../../../src/records/replay.ts';
import { createPassportReplay, type PassportReplayParts } from '../../../src/replay/replay.ts';
import type { ReplayInput } from '../../../src/replay/request.ts';
import { createTotals } from '../../../src/replay/totals.ts';
import { defaultRules } from '../../../src/verdict/index.ts';

/** What became of a record. */
export interface Seen {
  readonly decision_id: string;
  readonly isAllow: boolean;
  readonly verdict: 'ALLOW' | 'DENY' | null;
  readonly unknown: string | undefined;
  readonly codes: readonly string[];
}

/** Replays, and returns the answer with each record. */
export async function replayed(
  { storage, clock }: { readonly storage: StorageAdapter; readonly clock: { now(): number } },
  agentId: string,
  input: ReplayInput,
  parts: Partial<PassportReplayParts> = {},
): Promise<{ readonly answer: PassportReplay; readonly seen: readonly Seen[] }> {
  const options = {
    storage: { ...storage, close: async () => {} },
    clock: { now: clock.now },
    log: () => undefined,
  };
  const { context, close } = openContext(checkOptions(options));
  onTestFinished(close);
  const seen: Seen[] = [];
  const makeTally: typeof createTotals = (passport, examples) => {
    const tally = createTotals(passport, examples);
    return {
      ...tally,
      add(row, isAllow, after, before) {
        seen.push({
          decision_id: row.view.decisionId(row.place),
          isAllow,
          verdict: after.verdict,
          unknown: after.unknown,
          codes: after.reasons.map(({ code }) => code),
        });
        tally.add(row, isAllow, after, before);
      },
    };
  };
  const replay = createPassportReplay(context, {
    rules: defaultRules,
    journal: { settle: async () => true },
    makeTotals: makeTally,
    ...parts,
  });
  return { answer: await replay(agentId, input), seen };
}
