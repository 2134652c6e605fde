import { Option } from 'commander';
import { confirmed } from '../input/confirmed.ts';
import { visible } from '../output/terminal.ts';
import { accountVerb } from './answering.ts';
import type { VerbGroup } from './verb.ts';

export const subjectVerbs: VerbGroup = {
  name: 'subject',
  summary: 'erase the ids of users for whom agents acted',
  verbs: [
    accountVerb({
      name: 'erase',
      summary: 'erase the id of a user from verdict records and approvals',
      arguments: { text: 'subject of the intents, which is your exact id of the user' },
      options: [new Option('--yes', 'carry out the command without a confirmation prompt')],
      notes: `Verdict records that are written during the command keep the subject. Idempotency records keep the subject for
24 hours. Webhook deliveries, backups and exports keep the subject until their removal.`,
      examples: ['agent-identity subject erase user-4711'],
      async prepare(given, { yes = false }: { readonly yes?: boolean }, { text }) {
        if (!yes) await confirmed(`The subject ${visible(text)} is erased; this cannot be undone.`, text);
        return given;
      },
      async call({ subjects }, { text: subject }) {
        let erased = 0;
        for (let isOver = false; !isOver; ) {
          const done = await subjects.erase({ subject });
          erased += done.erased;
          isOver = !done.has_more;
        }
        return { erased };
      },
      text: ({ erased }) => `${erased} records no longer have the subject.`,
    }),
  ],
};
