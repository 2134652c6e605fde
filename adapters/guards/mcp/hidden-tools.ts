/** Finds the tools that `tools/list` leaves out, because their actions are denied for all arguments. */
import {
  IdentityError,
  type Intent,
  type ToolGuard,
  toolListing,
  type VerdictRecord,
} from '../../../src/guard/index.ts';

interface Batches {
  verifyBatch?(batch: { readonly intents: readonly Intent[] }): Promise<readonly VerdictRecord[]>;
}

const BATCH = 100;

/**
 * Returns the names of the tools that the passport or the state of the agent always denies. A tool whose action depends
 * on its arguments is never included. Uses dry runs.
 *
 * @throws {Error} If there is no verdict within the time limit.
 */
export async function hiddenTools(
  guard: ToolGuard,
  names: readonly string[],
  context?: unknown,
): Promise<ReadonlySet<string>> {
  const options = toolListing(guard);
  if (options === undefined) throw unavailable();
  const { verifier, agentId, timeoutMs, isObserving, actionOf } = options;
  const ownNames = names.filter((name) => !isObserving && actionOf(name) !== undefined);
  const intents = ownNames.map((name): Intent => {
    const agent_id = typeof agentId === 'function' ? agentId({ name, args: {}, context }) : agentId;
    return { agent_id, action: actionOf(name) as string, dry_run: true };
  });
  const recordsPromise = Array.from({ length: Math.ceil(intents.length / BATCH) }, (_, index) =>
    verdictsOn(verifier, intents.slice(index * BATCH, (index + 1) * BATCH)),
  );
  const records = (await within(timeoutMs, Promise.all(recordsPromise))).flat();
  return new Set(ownNames.filter((_, index) => records[index]?.reasons.some(isLasting)));
}

/** Says whether a tool is hidden. `error` is the error that has stopped the tool's call. */
export function isHidden(guard: ToolGuard, { details }: IdentityError, name: unknown): boolean {
  const reasons = details['reasons'] as readonly { readonly code: string }[];
  return reasons.some(isLasting) && toolListing(guard)?.actionOf(String(name)) !== undefined;
}

/** Creates the answer to a call of a hidden tool, which is the same as for an unknown tool. */
export function unknownTool(id: unknown, name: unknown): object {
  return { jsonrpc: '2.0', id, error: { code: -32_602, message: `Unknown tool: ${String(name)}` } };
}

/**
 * Creates the answer to a list request for which there is no verdict. The answer is an error, because clients would
 * remember a short list.
 */
export function noList(id: unknown): object {
  return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'There is no verdict on the tools now.' } };
}

async function verdictsOn(
  verifier: NonNullable<ReturnType<typeof toolListing>>['verifier'] & Batches,
  intents: readonly Intent[],
): Promise<readonly VerdictRecord[]> {
  const records =
    verifier.verifyBatch === undefined
      ? await Promise.all(intents.map((intent) => verifier.verify(intent)))
      : await verifier.verifyBatch({ intents });
  const isWhole = intents.every(({ agent_id, action }, index) => {
    const { verdict, reasons, ...record } = Object(records[index]) as Partial<VerdictRecord>;
    const isOurs = record.agent_id === agent_id && record.action === action && record.dry_run === true;
    return isOurs && Array.isArray(reasons) && verdict === (reasons.length === 0 ? 'ALLOW' : 'DENY');
  });
  if (!isWhole) throw unavailable();
  return records;
}

function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function unavailable(): IdentityError {
  return new IdentityError('service_unreachable', 'There is no verdict on the tools now.');
}

function isLasting({ code }: { readonly code: string }): boolean {
  return code.startsWith('agent_') || code === 'action_denied' || code === 'action_not_allowed';
}
