import type { Command } from 'commander';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { confirmed } from '../input/confirmed.ts';
import { print, printJson, visible } from '../output/terminal.ts';

interface EraseOptions extends BackendOptions {
  readonly yes?: boolean;
}

/** Adds `subject`. */
export function addSubjectCommands(program: Command): void {
  const subject = program.command('subject').description('the subjects that intents name');
  const erase = subject
    .command('erase')
    .description('erase a subject from the records of verdicts and from approvals')
    .argument('<text>', 'the subject, exactly')
    .option('--yes', 'do not ask');
  addBackendOptions(erase, 'manage')
    .addHelpText(
      'after',
      `
Verdicts that are recorded meanwhile keep it. Idempotency records keep it for 24 hours; webhook deliveries, backups and
exports as long as they are kept.

Example:
  $ agent-identity subject erase user-4711`,
    )
    .action(async (text: string, options: EraseOptions, command: Command) => {
      if (options.yes !== true) {
        await confirmed(`The subject ${visible(text)} is erased; this cannot be undone.`, text);
      }
      let erased = 0;
      await withBackend(command, 'manage', async ({ subjects }) => {
        for (let isOver = false; !isOver; ) {
          const done = await subjects.erase({ subject: text });
          erased += done.erased;
          isOver = !done.has_more;
        }
      });
      if (options.json) printJson({ erased });
      else print(`${erased} records no longer have the subject.`);
    });
}
