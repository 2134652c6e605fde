/**
 * Prints a plan and its outcome. No line begins with text from a file or from the service, because CI systems read
 * commands at the start of a line.
 */
import { differenceSentence } from '../../../src/verdict/compare/index.ts';
import { plain } from './plain-line.ts';
import { ACTIONS, type Action, type Step } from './plan.ts';

const MAX_VALUE = 200;

export function planText(steps: readonly Step[]): string {
  const lines = steps.filter(({ action }) => action !== 'unchanged').flatMap(stepLines);
  return [...lines, `Plan: ${countsText(steps)}.`].join('\n');
}

function stepLines(step: Step): readonly string[] {
  const { action, agent_id, file, comparison, replay, error } = step;
  const place = file === null ? 'named by no file' : `in ${file}`;
  const change = comparison === null ? '' : `, ${comparison.result}`;
  return [
    plain(`${action} ${agent_id}${change} (${place})`),
    ...(action === 'blocked' && error !== null ? [plain(`  ! ${error.message}`)] : []),
    ...(action === 'adopt' ? [] : fieldLines(step)),
    ...(comparison === null || action === 'blocked' ? [] : differencesOf(step).map(differenceLine)),
    ...(replay === null ? [] : [`  = ${replayText(replay)}`]),
  ];
}

function fieldLines({ before, after, fields }: Step): readonly string[] {
  const [entry, otherEntry] = [before, after].map((passport) => ({ ...passport }) as Record<string, unknown>);
  return fields.map((name) =>
    plain(`  ~ ${name}: ${valueText(entry?.[name])} -> ${valueText(otherEntry?.[name])}`),
  );
}

function valueText(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

interface ShownDifference {
  readonly list: 'wider' | 'narrower';
  readonly code: string;
  readonly sentence: string;
  readonly intent: unknown;
}

function differencesOf({ comparison }: Step): readonly ShownDifference[] {
  const lists = ['wider', 'narrower'] as const;
  return lists.flatMap((list) =>
    (comparison?.[list] ?? []).map((difference) => ({
      list,
      code: difference.code,
      sentence: differenceSentence(difference, list),
      intent: difference.intent,
    })),
  );
}

function differenceLine({ list, sentence }: ShownDifference): string {
  return plain(`  ${list === 'wider' ? '+' : '-'} ${sentence}`);
}

function replayText({
  judged,
  now_denied,
  now_allowed,
  unknown,
  complete,
}: NonNullable<Step['replay']>): string {
  const gap = complete ? '' : ' Older verdicts of this time are missing.';
  return `${judged} recorded verdicts: the change denies ${now_denied}, allows ${now_allowed}, and ${unknown} are unknown.${gap}`;
}

export function outcomeText(steps: readonly Step[]): string {
  const lines = steps.flatMap(({ agent_id, status, approval_id, expires_at, error }): readonly string[] => {
    if (status === 'waits') {
      return [
        plain(`waits ${agent_id} for approval ${approval_id}, open until ${expires_at}`),
        plain(`  > Another person runs: agent-identity approval approve ${approval_id}`),
        '  > Then run the same command again.',
      ];
    }
    if (error === null || (status !== 'failed' && status !== 'skipped')) return [];
    return [plain(`${status} ${agent_id}: ${error.message}`)];
  });
  const statuses = ['done', 'waits', 'failed', 'skipped'] as const;
  const counts = statuses.map((word) => `${countOf(steps, ({ status }) => status === word)} ${word}`);
  return [...lines, `Run: ${counts.join(', ')}.`].join('\n');
}

function countsText(steps: readonly Step[]): string {
  const counts = Object.entries(summaryOf(steps)).filter(([, count]) => count > 0);
  return counts.map(([action, count]) => `${count} ${action}`).join(', ') || 'nothing to do';
}

function summaryOf(steps: readonly Step[]): Readonly<Record<Action, number>> {
  const counts = ACTIONS.map((word) => [word, countOf(steps, ({ action }) => action === word)] as const);
  return Object.fromEntries(counts) as Record<Action, number>;
}

function countOf(steps: readonly Step[], is: (step: Step) => boolean): number {
  return steps.filter(is).length;
}

export function planRecord(steps: readonly Step[]): object {
  return {
    plan: steps.map((step) => ({
      agent_id: step.agent_id,
      file: step.file,
      action: step.action,
      change: step.comparison?.result ?? null,
      fields: step.fields,
      differences: differencesOf(step),
      replay: step.replay,
      status: step.status,
      approval_id: step.approval_id,
      expires_at: step.expires_at,
      error: step.error,
    })),
    summary: summaryOf(steps),
  };
}
