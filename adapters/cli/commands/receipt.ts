import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { usageError } from '../output/error.ts';
import { webhookCommand } from './answering.ts';
import type { CommandGroup } from './command.ts';

interface ReceiptOptions {
  readonly evaluatedAt?: string;
  readonly out?: string;
  readonly withOthers?: true;
}

export const receiptCommands: CommandGroup = {
  name: 'verifications',
  summary: 'manage receipts of verdict records',
  commands: [
    webhookCommand({
      name: 'receipt',
      summary: 'get the proof that a verdict is in the evidence log',
      arguments: { decision_id: 'decision_id of the verdict, which begins with dec_' },
      options: [
        new Option(
          '--evaluated-at <time>',
          'instant of the verdict; required if the verdict has no permit, because the service then finds the verdict by this instant',
        ),
        new Option('--with-others', 'accept a receipt that also shows other verdicts to its reader'),
        new Option(
          '--out <file>',
          'file to write the receipt to, for `log verify --receipt` (default: stdout)',
        ),
      ],
      notes:
        'A verdict with a permit has its own entry in the log, and its receipt shows only this verdict. For verdicts without a permit, the log has one entry for many verdicts. A receipt for such an entry shows all its verdicts, so the command refuses it without --with-others.',
      examples: ['agent-identity verifications receipt dec_5nWq8ZrT2yLkXc0BvHs4Gf --out receipt.json'],
      async call({ verifications }, { decision_id }, _input, options: ReceiptOptions) {
        const { evaluatedAt, out, withOthers = false } = options;
        const query = evaluatedAt === undefined ? {} : { evaluated_at: evaluatedAt };
        const receipt = await verifications.receipt(decision_id, query);
        if (receipt.discloses > 1 && !withOthers) {
          const otherText = `${receipt.discloses} verdicts: add --with-others if its reader may see them all.`;
          throw usageError(`The receipt discloses ${otherText}`);
        }
        if (out !== undefined) await writeFile(out, `${JSON.stringify(receipt)}\n`);
        return receipt;
      },
      text: (receipt, { out }: ReceiptOptions) =>
        out === undefined ? JSON.stringify(receipt) : `The receipt is in ${out}.`,
    }),
  ],
};
