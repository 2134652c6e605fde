/**
 * Runs `mcp-guard` as a separate program. Clients wait for its start, so the program loads only a tenth of the code.
 */
import { Command } from 'commander';
import { addCommands } from './commands/command.ts';
import { mcpGuardCommand } from './commands/mcp-guard.ts';
import { quiet, runProcess } from './run.ts';

export function runMcpGuard(): void {
  runProcess(() => {
    const program = quiet(new Command('agent-identity').helpOption('-h, --help', 'print this help'));
    addCommands(program, mcpGuardCommand);
    return program;
  });
}
