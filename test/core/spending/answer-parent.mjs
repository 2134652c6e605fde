/** Answers the process that forked this one: `{ id, method, args }` with `{ id, answer }` or `{ id, code }`. */
export function answerParent(methods) {
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, method, args }) => {
    try {
      process.send({ id, answer: await methods[method](...args) });
    } catch (error) {
      process.send({ id, code: error.code ?? String(error) });
    }
  });
  process.send({ id: 'ready' });
}
