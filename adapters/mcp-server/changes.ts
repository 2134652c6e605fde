/** Tries and proposes changes of a passport. */
import type { AdminClient } from '../../src/client.ts';
import { IdentityError, type Intent, type Passport, type PassportPatch } from '../../src/index.ts';
import { type Comparison, compareFields } from '../../src/verdict/compare/index.ts';

export type TriedIntent = Omit<Intent, 'agent_id'>;

export async function tryChange(
  admin: AdminClient,
  agentId: string,
  patch: PassportPatch,
  intents: readonly TriedIntent[],
): Promise<object> {
  const passportBefore = await admin.passports.get(agentId);
  const evaluate = (intent: TriedIntent) =>
    admin.passports.try(agentId, { patch, intent: { ...intent, agent_id: agentId } });
  // The service checks the patch with each intent, also if there is none to show.
  const verdicts = await Promise.all((intents.length === 0 ? [NO_INTENT] : intents).map(evaluate));
  const { result, wider, narrower } = compareFields(passportBefore, merged(passportBefore, patch));
  return {
    agent_id: agentId,
    version: passportBefore.version,
    result,
    differences: { wider: wider.map(differenceOf), narrower: narrower.map(differenceOf) },
    intents: intents.map(({ action }, index) => ({ action, ...verdicts[index] })),
  };
}

/** A dummy intent, because the operation needs one to carry a patch. */
const NO_INTENT: TriedIntent = { action: 'try_change' };

function differenceOf({ code, reasons, intent }: Comparison['wider'][number]): object {
  return { code, reasons, intent };
}

/**
 * Changes a passport. A change that widens the passport waits for an approval. After the approval, the same call
 * applies the change.
 *
 * @throws {IdentityError} the error of the service, if nothing was changed and no approval is pending.
 */
export async function proposeChange(
  admin: AdminClient,
  agentId: string,
  patch: PassportPatch,
): Promise<object> {
  try {
    return applied(await approvedOrNarrower(admin, agentId, patch));
  } catch (error) {
    const { approval_id, expires_at } = waitsFor(error);
    if (typeof approval_id !== 'string') throw error;
    return { status: 'waits', agent_id: agentId, approval_id, expires_at };
  }
}

/** Sends the patch. If it needs an approval, sends it again with the approval of exactly this patch. */
async function approvedOrNarrower(
  { passports }: AdminClient,
  agentId: string,
  patch: PassportPatch,
): Promise<Passport> {
  try {
    return await passports.update(agentId, patch);
  } catch (error) {
    const { approval_id: approvalId } = waitsFor(error);
    if (typeof approvalId !== 'string') throw error;
    return passports.update(agentId, patch, { approvalId });
  }
}

function applied({ agent_id, version, updated_at }: Passport): object {
  return { status: 'applied', agent_id, version, updated_at };
}

function waitsFor(error: unknown): { readonly approval_id?: unknown; readonly expires_at?: unknown } {
  if (!(error instanceof IdentityError) || error.code !== 'second_person_required') return {};
  const { approval_id, expires_at } = error.details;
  return { approval_id, expires_at };
}

/** Applies a patch that the service has accepted (RFC 7396). */
function merged<Whole extends object>(valueBefore: Whole, patch: object): Whole {
  const entriesAfter = new Map<string, unknown>(Object.entries(valueBefore));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) entriesAfter.delete(name);
    else
      entriesAfter.set(name, isObject(value) ? merged(Object(entriesAfter.get(name) ?? {}), value) : value);
  }
  return Object.fromEntries(entriesAfter) as Whole;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
