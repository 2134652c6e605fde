/** Verdicts with texts that every database stores: in process a text can hold others. */
import type { Filed } from './rollups.ts';

/** U+0000, and surrogates without their other half. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const ALL_UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** The same, with U+FFFD for what no database stores: one such record must not hold up all the others. */
export function toStorable(filed: Filed): Filed {
  const { account_id, agent_id, action, target, key_id } = filed.entry;
  const texts = [account_id, agent_id, action, target ?? '', key_id ?? ''];
  if (!texts.some((text) => UNSTORABLE.test(text))) return filed;
  const entry = {
    ...filed.entry,
    account_id: storable(account_id),
    agent_id: storable(agent_id),
    action: storable(action),
    target: target === null ? null : storable(target),
    key_id: key_id === null ? null : storable(key_id),
  };
  return { ...filed, entry };
}

function storable(text: string): string {
  return text.replaceAll(ALL_UNSTORABLE, '\uFFFD');
}
