import type { JSX } from 'preact';
import type { Reason } from '../../../../../src/index.ts';
import type { Page, PassportVersion } from '../../../../../src/types.ts';
import { limitsBehind } from '../../../../../src/verdict/index.ts';
import { Shown } from '../../parts/states.tsx';
import { call, queryOf } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import type { ShownVerdict } from '../../state/record.ts';
import { conditionSentence, orderSentence } from '../../text/condition-sentences.ts';

export function isAboutLimits({ at, order }: Reason): boolean {
  return at !== undefined || order !== undefined;
}

export function BrokenLimits({ record }: { record: ShownVerdict }): JSX.Element {
  const loading = useLoad(record.decision_id, async (signal) => ({
    versions: await versionsOf(record, signal),
  }));
  return (
    <Shown of={loading} rows={1}>
      {({ versions }) => {
        const lines = record.reasons
          .filter(isAboutLimits)
          .flatMap((reason) => linesOf(reason, record, versions));
        return (
          <section class="stack">
            <h3>The passport at that time</h3>
            {lines.length === 0 ? (
              <p class="note">That version of the passport is no longer stored.</p>
            ) : (
              [...new Set(lines)].map((line) => (
                <p key={line} class="break">
                  {line}
                </p>
              ))
            )}
            <p class="hint">The denied value is stored nowhere.</p>
          </section>
        );
      }}
    </Shown>
  );
}

function linesOf(
  reason: Reason,
  { agent_id, action }: ShownVerdict,
  versions: readonly PassportVersion[],
): readonly string[] {
  const owner = reason['parent'] ?? reason['agent_id'] ?? agent_id;
  const passport = versions.find((version) => version.agent_id === owner);
  if (passport === undefined) return [];
  const { conditions = [], order = [] } = limitsBehind(reason, action, passport);
  const name = owner === agent_id ? '' : `${owner}, `;
  return [...conditions.map(conditionSentence), ...order.map(orderSentence)].map(
    (sentence) => `${name}version ${passport.version}: ${sentence}`,
  );
}

/**
 * Reads the passport versions of a verdict: of the agent, then of each ancestor. Versions that are no longer stored are
 * left out.
 */
async function versionsOf(
  { agent_id, passport_version, ancestor_versions = [] }: ShownVerdict,
  signal: AbortSignal,
): Promise<readonly PassportVersion[]> {
  const versions: PassportVersion[] = [];
  let agentId: string | undefined = agent_id;
  for (const version of [passport_version, ...(ancestor_versions ?? [])]) {
    if (agentId === undefined) break;
    const passport: PassportVersion | undefined = await versionAt(agentId, version, signal);
    if (passport === undefined) break;
    versions.push(passport);
    agentId = passport.parent_agent_id;
  }
  return versions;
}

async function versionAt(
  agentId: string,
  version: number | null,
  signal: AbortSignal,
): Promise<PassportVersion | undefined> {
  let cursor: string | undefined;
  do {
    const path = `/passports/${encodeURIComponent(agentId)}/versions${queryOf({ limit: 100, cursor })}`;
    const page: Page<PassportVersion> = await call('GET', path, { signal });
    const foundVersion = page.data.find((entry) => entry.version === version);
    if (foundVersion !== undefined) return foundVersion;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return undefined;
}
