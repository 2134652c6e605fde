/** A TCP proxy on loopback that misbehaves on demand: what stands between a node and its store goes wrong here. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Below the ports that the kernel gives to clients, because a client that dials a closed port there can reach itself.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/**
 * A proxy on a free port in front of a port of this machine. It passes everything on until a method changes that.
 * Every method takes effect at once, even on open connections.
 *
 * @param {number} targetPort
 */
export async function startProxy(targetPort) {
  /** @type {Set<Line>} */
  const lines = new Set();
  const state = { target: targetPort, delayMs: 0, isSilent: false, isSevered: false };
  // A client that has ended its half still hears what is under way.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const line = join(near, state);
    lines.add(line);
    near.once('close', () => line.isSevered() || lines.delete(line));
  });
  const port = await listenAnywhere(server);

  const cut = () => {
    for (const line of lines) line.cut();
  };
  const listenAgain = async () => {
    if (!server.listening) await listen(server, port);
  };

  return {
    port,
    /** Lets new and slow connections reach the target. A connection that became silent stays silent. */
    async pass() {
      Object.assign(state, { delayMs: 0, isSilent: false, isSevered: false });
      await listenAgain();
    },
    /** Everything the target says arrives the given milliseconds later. */
    delay(ms) {
      state.delayMs = ms;
    },
    /** Everything is taken and nothing answered, as by a machine that is gone without a word. */
    swallow() {
      state.isSilent = true;
      for (const line of lines) line.silence();
    },
    /** As between two halves of a network: neither side hears even that the other has ended a connection. */
    sever() {
      Object.assign(state, { isSilent: true, isSevered: true });
      for (const line of lines) line.silence();
    },
    /** Connections are reset and new ones refused. */
    async refuse() {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      cut();
      await closed;
    },
    /** Connections are reset; new ones are welcome. */
    cut,
    /** Connections are reset, and new ones lead to another port. */
    switchTo(newTarget) {
      state.target = newTarget;
      cut();
    },
    /** Ends it with all connections. */
    async close() {
      if (server.listening) await this.refuse();
      else cut();
    },
  };
}

/**
 * @typedef {object} Line One connection from end to end.
 * @property {() => void} cut
 * @property {() => void} silence
 * @property {() => boolean} isSevered
 */

/** Joins a connection to the target. @returns {Line} */
function join(near, state) {
  let { isSilent, isSevered } = state;
  const far = isSilent ? undefined : connect(state.target, '127.0.0.1');
  const end = () => {
    near.resetAndDestroy();
    far?.destroy();
  };
  const hangUp = () => isSevered || end();
  near.setNoDelay(true).on('error', hangUp).on('close', hangUp);
  near.on('end', () => isSevered || far?.end());
  near.on('data', (bytes) => {
    if (!isSilent) far.write(bytes);
  });
  let last = Promise.resolve();
  const pass = (act) => {
    const at = performance.now() + state.delayMs;
    // One after another, so that a delay that ends meanwhile lets nothing overtake.
    last = last.then(() => until(at)).then(() => !isSilent && act());
  };
  far?.setNoDelay(true).on('data', (bytes) => pass(() => near.write(bytes)));
  far?.on('error', () => pass(end)).on('close', () => pass(end));
  return {
    cut: end,
    silence() {
      isSilent = true;
      ({ isSevered } = state);
    },
    isSevered: () => isSevered,
  };
}

async function until(at) {
  const ms = at - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms).unref());
}

async function listenAnywhere(server) {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    try {
      await listen(server, port);
      return port;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
    }
  }
}

async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
