/**
 * Throws unless the server returns the expected verdict for every body. `read` finds the verdict in the server's own
 * response format.
 */
export async function assertVerdicts(name, { port, path = '/api/verify', headers, bodies, expected, read }) {
  for (const [index, body] of bodies.entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const given = await answer.json();
    const verdict = read === undefined ? given.verdict : read(given);
    if (answer.status !== 200 || verdict !== expected[index]) {
      throw new Error(`${name} answers ${answer.status} ${verdict}, not ${expected[index]}`);
    }
  }
}

/** Returns the result of a load on a server, with the CPU nanoseconds of the server per request over all threads. */
export async function askUnderLoad(name, child, load, task) {
  const before = await child.usage();
  const found = await load.ask({ port: child.port, path: '/api/verify', ...task });
  const after = await child.usage();
  if (found.errors > 0) throw new Error(`${name}: ${found.errors} requests failed`);
  // What is not ours does not count its requests.
  const requests = after.requests - before.requests || found.answered;
  return { ...found, cpuNs: ((after.cpuUs - before.cpuUs) * 1e3) / requests };
}
