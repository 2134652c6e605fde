import { Option } from 'commander';
import { confirmed } from '../input/confirmed.ts';
import { visible } from '../output/terminal.ts';
import { accountCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

export const subjectCommands: CommandGroup = {
  name: 'subject',
  summary: 'manage the ids of users for whom agents act',
  commands: [
    accountCommand({
      name: 'erase',
      summary: 'erase the id of an agent user from records and approvals',
      arguments: {
        text: 'id of the user for whom agents acted, exactly as your application sent it as the subject of intents',
      },
      options: [new Option('--yes', 'carry out the command without a confirmation prompt')],
      notes: `If the service writes verdict records while the command runs, these records keep the subject. Therefore run the command
a second time. For safe retries (Idempotency-Key), the service keeps a record of each request, with its subject, for 24
hours. Webhook deliveries that already have the subject keep it for up to 7 days. Backups and exports keep the subject
until you delete them.`,
      examples: ['agent-identity subject erase user-4711'],
      async prepare(input, { yes = false }: { readonly yes?: boolean }, { text }) {
        if (!yes) await confirmed(`The subject ${visible(text)} is erased; this cannot be undone.`, text);
        return input;
      },
      async call({ subjects }, { text: subject }) {
        let erasedCount = 0;
        for (let isOver = false; !isOver; ) {
          const doneErasure = await subjects.erase({ subject });
          erasedCount += doneErasure.erased;
          isOver = !doneErasure.has_more;
        }
        return { erased: erasedCount };
      },
      text: ({ erased }) => `${erased} records no longer have the subject.`,
    }),
  ],
};
