import type { IdentityService, PassportInput } from 'agent-identity-service';
import type { ToolGuard, ToolGuardOptions, ToolRule, Verifier } from 'agent-identity-service/guard';

export type PayArguments = { readonly cents?: number | null };
export type MatrixCall = (
  guard: ToolGuard,
  args: PayArguments,
  options: { readonly signal: AbortSignal },
) => Promise<readonly PayArguments[]>;
export function failuresOf(call: MatrixCall, crowd?: number): Promise<readonly string[]>;
export const PAY: ToolRule;
export function openShop(more?: Partial<PassportInput>): Promise<IdentityService>;
export function guardOf(verifier: Verifier, options?: Partial<ToolGuardOptions>): ToolGuard;
