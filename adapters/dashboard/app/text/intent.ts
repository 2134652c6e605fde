import type { Intent } from '../../../../src/index.ts';
import { money } from './words.ts';

export interface IntentTexts {
  readonly agent_id: string;
  readonly action: string;
  readonly target: string;
  readonly amount: string;
  readonly currency: string;
}

/** Converts typed texts to an intent. Amounts stay texts, which are exact. */
export function toIntent({ agent_id, action, target, amount, currency }: IntentTexts): Intent {
  const parameters = {
    ...(amount.trim() !== '' && { amount: amount.trim() }),
    ...(currency.trim() !== '' && { currency: currency.trim() }),
  };
  return {
    agent_id: agent_id.trim(),
    action: action.trim(),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}

export function toCurl(api: string, intent: Intent): string {
  const body = JSON.stringify(intent, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${api}/verify \\\n  -H "X-API-Key: $AGENT_IDENTITY_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

export function toTypeScript(api: string, intent: Intent): string {
  return `import { createIdentityClient } from 'agent-identity-service/client';

const client = createIdentityClient({
  baseUrl: ${JSON.stringify(api)},
  apiKey: process.env.AGENT_IDENTITY_API_KEY ?? '',
});
const { verdict, reasons } = await client.verify(${JSON.stringify(intent, null, 2)});
console.log(verdict, reasons);`;
}

export function moneyIn(intent: Pick<Intent, 'parameters'> = {}): string {
  const amount = intent.parameters?.['amount'];
  return typeof amount === 'number' || typeof amount === 'string' ? money(amount, currencyIn(intent)) : '';
}

export function currencyIn({ parameters }: Pick<Intent, 'parameters'> = {}): string | null {
  const currency = parameters?.['currency'];
  return typeof currency === 'string' ? currency : null;
}

export function usageRow({ usage }: Pick<Intent, 'usage'>): readonly [string, string | undefined] {
  return ['Usage', JSON.stringify(usage)];
}
