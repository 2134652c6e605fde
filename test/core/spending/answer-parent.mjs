/** Answers the process that has started this one by `fork`: `{ id, verb, args }` with `{ id, answer }` or `{ id, code }`. */
export function answerParent(verbs) {
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, verb, args }) => {
    try {
      process.send({ id, answer: await verbs[verb](...args) });
    } catch (error) {
      process.send({ id, code: error.code ?? String(error) });
    }
  });
  process.send({ id: 'ready' });
}
