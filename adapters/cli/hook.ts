/** Runs the hook commands as a separate program, which loads only a part of the code. */
import { Command } from 'commander';
import { hookVerb, hookVerbs } from './commands/hook.ts';
import { addVerbs } from './commands/verb.ts';
import { quiet, runProcess } from './run.ts';

export function runHook(): void {
  runProcess(() => {
    const program = quiet(new Command('agent-identity').helpOption('-h, --help', 'print this help'));
    addVerbs(program, hookVerb);
    addVerbs(program, hookVerbs);
    return program;
  });
}
