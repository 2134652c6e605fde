/** `hook try`: evaluates a call as a dry run, without the coding agent. */
import { EXIT } from '../output/error.ts';
import { print, printError } from '../output/terminal.ts';
import type { CodingAgent } from './coding-agents.ts';
import { objectIn } from './config.ts';
import { evaluateEvent } from './evaluate-event.ts';
import { createSession } from './session.ts';

export interface TriedCall {
  readonly tool: string;
  readonly input: string;
  readonly cwd: string;
  /** The absolute path of the configuration. */
  readonly config: string;
}

export async function tryCall(
  codingAgent: CodingAgent,
  { tool, input, cwd, config }: TriedCall,
): Promise<void> {
  const tool_input = objectIn(Buffer.from(input), '--input');
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 'try',
    tool_use_id: 'try',
    permission_mode: 'default',
    cwd,
    tool_name: tool,
    tool_input,
  };
  const session = createSession({ isResident: false });
  try {
    const answer = await evaluateEvent(session, {
      host: codingAgent.name,
      config,
      isDryRun: true,
      event: Buffer.from(JSON.stringify(event)),
    });
    if (answer.stdout !== '') print(answer.stdout);
    if (answer.stderr !== '') printError(answer.stderr.trimEnd());
    const text = `${answer.stdout}${answer.stderr}`;
    if (text.includes('verdict_unavailable')) process.exitCode = EXIT.failure;
    else if (text.includes('DENY')) process.exitCode = EXIT.denied;
  } finally {
    await session.close();
  }
}
