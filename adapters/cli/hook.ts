/** Runs the hook commands as a separate program, which loads only a part of the code. */
import { Command } from 'commander';
import { addCommands } from './commands/command.ts';
import { hookCommand, hookCommands } from './commands/hook.ts';
import { quiet, runProcess } from './run.ts';

export function runHook(): void {
  runProcess(() => {
    const program = quiet(new Command('agent-identity').helpOption('-h, --help', 'print this help'));
    addCommands(program, hookCommand);
    addCommands(program, hookCommands);
    return program;
  });
}
