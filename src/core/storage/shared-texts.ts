import { formatInstant } from '../../base/values/instant.ts';
import type { Clock } from '../../ports/host.ts';
import { insert, replace, type Store, untilWritten } from './store.ts';

export interface SharedTextParts {
  readonly store: Pick<Store, 'get' | 'write'>;
  readonly clock: Clock;
}

/**
 * Changes a text on which all nodes must agree, and returns it. `next` returns the new text for the present one. It
 * runs again if another node has changed the text meanwhile.
 */
export async function changeText<Text extends string | undefined>(
  { store, clock }: SharedTextParts,
  name: string,
  next: (text: string | undefined) => Text,
): Promise<Text> {
  const { text } = await untilWritten(async () => {
    const foundBase = await store.get('shared_texts', name);
    const text = next(foundBase?.text);
    if (text === undefined || text === foundBase?.text) return { text };
    const { version, ...base } = foundBase ?? {
      id: name,
      account_id: '',
      version: 0,
      created_at: formatInstant(clock.now()),
    };
    const record = { ...base, version: version + 1, text };
    const step = version === 0 ? insert('shared_texts', record) : replace('shared_texts', record, version);
    return (await store.write(step)).written ? { text } : undefined;
  });
  return text;
}
