import { type Command, Option } from 'commander';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { Environment } from '../../../src/index.ts';
import { addBackendOptions, withBackend } from '../backend/backend.ts';
import type { BackendOptions } from '../backend/verbs.ts';
import { table } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';

interface BudgetsOptions extends BackendOptions {
  readonly environment?: Environment;
}

/** Adds `budgets` to `passport`. */
export function addBudgetsCommand(passport: Command): void {
  addBackendOptions(
    passport
      .command('budgets')
      .description('show what is spent, held and left of the budgets of a passport')
      .argument('<agent_id>', 'did:web:<domain>:agents:<agent_name>')
      .addOption(new Option('--environment <environment>', 'default live').choices(ENVIRONMENTS)),
    'manage',
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ agent-identity passport budgets did:web:example.com:agents:shopper',
    )
    .action(async (agentId: string, options: BudgetsOptions, command: Command) => {
      const { environment } = options;
      const list = await withBackend(command, 'manage', (backend) =>
        backend.passports.budgets(agentId, environment === undefined ? {} : { environment }),
      );
      if (options.json) return printJson(list);
      const rows = list.data.map(({ name, window, limit, count, spent, held, remaining, resets_at }) => [
        ...[name, window, `${limit ?? count}`, `${spent}`, `${held}`, `${remaining}`],
        resets_at ?? 'never',
      ]);
      print(table([['BUDGET', 'WINDOW', 'OF', 'SPENT', 'HELD', 'LEFT', 'RESETS'], ...rows]));
    });
}
