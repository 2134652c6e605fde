/** The command `mcp-guard` alone: a client waits for its servers to start, and this is a tenth of the command. */
import { Command } from 'commander';
import { addMcpGuardCommand } from './commands/mcp-guard.ts';
import { quiet, runProcess } from './run.ts';

/** Does what the command line of this process asks for. */
export function runMcpGuard(): void {
  runProcess(() => {
    const program = quiet(new Command('agent-identity').helpOption('-h, --help', 'print this help'));
    addMcpGuardCommand(program);
    return program;
  });
}
