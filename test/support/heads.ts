import { TOKEN_UNAVAILABLE } from '../../src/access-tokens/issue.ts';
import { permitUnavailable } from '../../src/core/verification/takings.ts';
import { APPROVAL_MESSAGES } from '../../src/verdict/approval.ts';
import { BUDGET_MESSAGES } from '../../src/verdict/budgets.ts';
import { CONDITION_MESSAGES } from '../../src/verdict/conditions.ts';
import { HISTORY_MESSAGES } from '../../src/verdict/pace.ts';
import { PROOF_MESSAGES } from '../../src/verdict/proof.ts';
import {
  AGENT_NOT_FOUND,
  PARENT_DENIED,
  PARENT_NOT_FOUND,
  RULE_FAILED,
  RULES,
} from '../../src/verdict/rules.ts';
import { USAGE_REQUIRED } from '../../src/verdict/usage.ts';

/** Every code with its sentence, in the order in which reasons are listed. */
export const HEADS: readonly { readonly code: string; readonly message: string }[] = [
  AGENT_NOT_FOUND,
  ...RULES,
  { code: 'usage_required', message: USAGE_REQUIRED },
  ...Object.entries(CONDITION_MESSAGES).map(([code, message]) => ({ code, message })),
  PARENT_NOT_FOUND,
  PARENT_DENIED,
  headOf('proof_required'),
  headOf('proof_invalid'),
  headOf('proof_expired'),
  RULE_FAILED,
  { code: 'permit_unavailable', message: permitUnavailable('service').message },
  { code: 'token_unavailable', message: TOKEN_UNAVAILABLE },
  headOf('proof_replayed'),
  ...Object.entries({ ...HISTORY_MESSAGES, ...BUDGET_MESSAGES, ...APPROVAL_MESSAGES }).map(
    ([code, message]) => ({
      code,
      message,
    }),
  ),
].map(({ code, message }) => ({ code, message }));

function headOf(code: keyof typeof PROOF_MESSAGES): { code: string; message: string } {
  return { code, message: PROOF_MESSAGES[code] };
}
