/** Returns the lines of a message about an approval. The values of parameters are left out. */
export function linesOf(approval) {
  const { agent_id, intent, change, expires_at } = approval;
  const { action, target, parameters } = intent ?? {};
  const { amount = '', currency = '' } = parameters ?? {};
  const lines = {
    agent_id,
    action,
    target,
    amount: `${amount} ${currency}`,
    change: change?.difference.map(({ field }) => field).join(', '),
    until: expires_at,
  };
  const shown = Object.entries(lines).filter(([, value]) => value?.trim());
  return shown.map(([name, value]) => `${name}: ${plain(value)}`);
}

/** Escapes a text from an agent, so that it cannot hide content or create a link. */
function plain(text) {
  return text
    .slice(0, 200)
    .replaceAll(/[\p{C}\p{Z}\p{DI}]+/gu, ' ')
    .replaceAll(/\/(?=\/)/g, '/ ');
}
