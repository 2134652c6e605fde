/** The recipes of the guards, cut from their page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The module of each recipe, by its heading. */
export function readRecipes() {
  const page = readFileSync(join(root, 'src/guard/README.md'), 'utf8');
  const [, part = ''] = page.split('\n## Recipes\n');
  const found = [...part.matchAll(/^### (.+)\n(?:(?!###)[\s\S])*?^```ts\n([\s\S]*?)^```$/gm)];
  return new Map(found.map(([, name, text]) => [name, text]));
}

/** What the recipes take for granted: a shop, its guard, and what notes the payments. */
export const SERVICE = `
import { createIdentityService } from 'agent-identity-service';
import { createToolGuard } from 'agent-identity-service/guard';
import { memoryStorage } from 'agent-identity-service/storage/memory';

export const service = createIdentityService({ storage: memoryStorage() });
const { agent_id } = await service.passports.create({
  domain: 'example.com', agent_name: 'shopper', allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'], monetary_limit_per_txn: 100, currency: 'EUR',
});
export const { key } = await service.keys.create({ name: 'recipes' });
export const guard = createToolGuard({
  verifier: service,
  agentId: agent_id,
  tools: { pay: { action: 'payments.create', amount: '/cents', decimals: 'currency', currency: 'EUR' } },
});
export const intent = { agent_id, action: 'payments.create', parameters: { amount: 1, currency: 'EUR' } };
export const payees = { ran: [] as unknown[], pay(args: unknown, _more?: object) { this.ran.push(args); return 'paid'; } };
`;
