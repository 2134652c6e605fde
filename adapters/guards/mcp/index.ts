/** The entry point `./guard/mcp`: guards servers and clients of MCP. Tested with the SDK 1.32.2 and 2.4.0. */

export type {
  GuardToolsOptions,
  IdentityError,
  Intent,
  Pause,
  PermitRequest,
  ToolCall,
  ToolGuard,
  ToolRun,
  VerdictRecord,
} from '../../../src/guard/index.ts';
export { answerRefused, beginAsked, type RefusedCall } from './asked-call.ts';
export { APPROVAL_ID, type DeniedResult, deniedMeta, deniedResult } from './denied-result.ts';
export {
  type AskedParams,
  createElicitations,
  type Elicitations,
  type MessageMembers,
} from './elicitation.ts';
export { forwardedParams, guardClient, isAmbiguous, PERMIT } from './guard-client.ts';
export { type GuardServerOptions, guardServer } from './guard-server.ts';
export { hiddenTools, isHidden, noList, unknownTool } from './hidden-tools.ts';
export { type KeptRuns, keptRuns } from './kept-runs.ts';
export { createTaskRuns, type TaskMessage, type TaskRuns } from './task-runs.ts';
