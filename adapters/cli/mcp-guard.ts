/**
 * The separate program for the command `mcp-guard`. Clients wait until it has started, and it loads only a tenth of the
 * whole command.
 */
import { Command } from 'commander';
import { mcpGuardVerb } from './commands/mcp-guard.ts';
import { addVerbs } from './commands/verb.ts';
import { quiet, runProcess } from './run.ts';

export function runMcpGuard(): void {
  runProcess(() => {
    const program = quiet(new Command('agent-identity').helpOption('-h, --help', 'print this help'));
    addVerbs(program, mcpGuardVerb);
    return program;
  });
}
