import { Option } from 'commander';
import { confirmed } from '../input/confirmed.ts';
import { visible } from '../output/terminal.ts';
import { accountVerb } from './answering.ts';
import type { VerbGroup } from './verb.ts';

export const subjectVerbs: VerbGroup = {
  name: 'subject',
  summary: 'the subjects that intents name',
  verbs: [
    accountVerb({
      name: 'erase',
      summary: 'erase a subject from verdict records and approvals',
      arguments: { text: 'the subject, exactly' },
      options: [new Option('--yes', 'do not ask')],
      notes: `Verdicts that are recorded meanwhile keep it. Idempotency records keep it for 24 hours; webhook deliveries, backups and
exports as long as they are kept.`,
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
