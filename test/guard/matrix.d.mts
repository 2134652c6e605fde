import type { ToolGuard } from 'agent-identity-service/guard';

export type PayArguments = { readonly cents?: number | null };
export type MatrixCall = (
  guard: ToolGuard,
  args: PayArguments,
  options: { readonly signal: AbortSignal },
) => Promise<readonly PayArguments[]>;
export function failuresOf(call: MatrixCall): Promise<readonly string[]>;
