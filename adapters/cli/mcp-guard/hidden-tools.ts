/** Tools that an agent may never call, by dry runs. */
import type { Intent, Reason, ToolRule, VerdictRecord } from '../../../src/guard/index.ts';
import type { ListedTool } from './tool-list.ts';

/** Whose tools they are, and how their actions are named. */
export interface HidingOptions {
  readonly agentId: string;
  readonly prefix: string;
  readonly tools: Readonly<Record<string, ToolRule>>;
  readonly unjudged: readonly string[];
  readonly verifyBatch: (intents: readonly Intent[]) => Promise<readonly VerdictRecord[]>;
}

/** The largest batch that the service takes. */
const BATCH = 100;

/**
 * Leaves out the tools that are denied whatever their arguments are. This changes only what is shown, because each call
 * is evaluated anyway: without a verdict nothing is left out.
 */
export function hideDenied(
  options: HidingOptions,
): (tools: readonly ListedTool[]) => Promise<readonly ListedTool[]> {
  const { agentId: agent_id, prefix, tools: rules, unjudged, verifyBatch } = options;

  function actionOf(name: string): string | undefined {
    const { action = prefix + name } = (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? {};
    return unjudged.includes(name) || action.startsWith('/') ? undefined : action;
  }

  async function deniedAmong(actions: readonly string[]): Promise<readonly string[]> {
    const intents = actions.map((action) => ({ agent_id, action, dry_run: true }));
    const records = await verifyBatch(intents).catch(() => []);
    return records.filter(({ reasons }) => reasons.some(isLasting)).map(({ action }) => action);
  }

  return async (tools) => {
    const actions = [...new Set(tools.map(({ name }) => actionOf(name)))].filter(
      (action) => action !== undefined,
    );
    const batches = Array.from({ length: Math.ceil(actions.length / BATCH) }, (_, index) =>
      deniedAmong(actions.slice(index * BATCH, (index + 1) * BATCH)),
    );
    const denied = new Set((await Promise.all(batches)).flat());
    return tools.filter(({ name }) => !denied.has(actionOf(name) ?? ''));
  };
}

/** Returns `true` for a reason that holds for every argument. */
function isLasting({ code }: Reason): boolean {
  return code.startsWith('agent_') || code === 'action_denied' || code === 'action_not_allowed';
}
