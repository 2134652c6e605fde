import type { ToolGuard } from 'agent-identity-service/guard';
import type { AgentMiddleware } from 'langchain';
import type { ZodObject } from 'zod';
import type { PayArguments } from '../matrix.mjs';

export interface Way {
  readonly name: string;
  readonly isStreamed?: boolean;
}
export interface ToolAnswer {
  readonly status?: string;
  readonly content: unknown;
  readonly tool_call_id: string;
  readonly artifact?: unknown;
}
export function callTool(
  call: Partial<Way> & {
    readonly guard: ToolGuard;
    readonly args: PayArguments;
    readonly signal?: AbortSignal;
    readonly isFailing?: boolean;
    readonly schema?: ZodObject;
    readonly middleware?: readonly AgentMiddleware[];
  },
): Promise<{
  readonly ran: readonly PayArguments[];
  readonly error: unknown;
  readonly messages: readonly ToolAnswer[];
}>;
export const WAYS: readonly Way[];
