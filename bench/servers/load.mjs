/**
 * The load, in a separate process, controlled by messages. It has 64 connections. Either each sends as soon as its
 * answer arrives, or all together send at a constant rate. At a constant rate, the time of a request counts from its
 * due instant.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

const HEAD_END = Buffer.from('\r\n\r\n');

process.on('disconnect', () => process.exit());
process.on('message', async (task) => process.send(await load(task)));
process.send({ ready: true });

async function load({ port, path, headers, bodies, connections, seconds, rate }) {
  const requests = bodies.map((body) => requestBytes(path, headers, body));
  const open = await openConnections(port, connections);
  const histogram = createHistogram();
  const lag = createHistogram();
  const end = performance.now() + seconds * 1e3;
  const counts = { answered: 0, errors: 0 };
  const whole = Array.from({ length: Math.floor(seconds) }, () => createHistogram());
  const startedAt = performance.now();
  let sent = 0;
  const ask = (connection, dueAt, then) => {
    connection.ask(requests[sent++ % requests.length], (status) => {
      if (status === 200) counts.answered += 1;
      else counts.errors += 1;
      const now = performance.now();
      const took = Math.max(1, Math.round((now - dueAt) * 1e6));
      histogram.record(took);
      whole[Math.floor((now - startedAt) / 1e3)]?.record(took);
      then();
    });
  };
  if (rate === undefined) await saturate(open, ask, end);
  else await keepRate(open, ask, { end, rate, lag });
  const took = (performance.now() - startedAt) / 1e3;
  for (const connection of open) connection.close();
  return {
    ...counts,
    perSecond: counts.answered / took,
    p50: histogram.percentile(50),
    p99: histogram.percentile(99),
    // Of each whole second; one without an answer is as slow as that.
    p99OfSeconds: whole.map((second) => (second.count === 0 ? 1e9 : second.percentile(99))),
    // How late the client itself was: above the figures it makes them worthless.
    lag99: rate === undefined ? null : lag.percentile(99),
  };
}

/**
 * Sends requests at saturation without sleeping. An answer would have to wake a sleeping client, and the kernel counts
 * that as work of the server, more often for slower servers. Without sleep, all servers pay the same.
 */
function saturate(open, ask, end) {
  stayAwake(end);
  const turns = open.map(
    (connection) =>
      new Promise((resolve) => {
        const again = () => {
          const now = performance.now();
          if (now < end) ask(connection, now, again);
          else resolve();
        };
        again();
      }),
  );
  return Promise.all(turns);
}

function stayAwake(end) {
  if (performance.now() < end) setImmediate(stayAwake, end);
}

/**
 * Sends requests at a constant rate. Timers are too coarse, so the loop reads the clock in every turn, on its own core.
 */
function keepRate(open, ask, { end, rate, lag }) {
  const idle = open.map((connection) => ({ connection, since: 0 }));
  const gapMs = 1e3 / rate;
  let dueAt = performance.now();
  return new Promise((resolve) => {
    const turn = () => {
      const now = performance.now();
      while (dueAt <= now && dueAt < end && idle.length > 0) {
        const { connection, since } = idle.pop();
        // Waiting for a connection is the server's doing, not the client's.
        lag.record(Math.max(1, Math.round((now - Math.max(dueAt, since)) * 1e6)));
        ask(connection, dueAt, () => idle.push({ connection, since: performance.now() }));
        dueAt += gapMs;
      }
      if (now < end || idle.length < open.length) setImmediate(turn);
      else resolve();
    };
    turn();
  });
}

/**
 * Opens keep-alive connections. Each sends one request at a time, as bytes, and reads only the status and the end of an
 * answer.
 */
async function openConnections(port, count) {
  const connections = Array.from({ length: count }, () => openConnection(port));
  await Promise.all(connections.map(({ opened }) => opened));
  return connections;
}

function requestBytes(path, headers, body) {
  const lines = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    ...headers,
    'content-length': body.length,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let kept = Buffer.alloc(0);
  let done = () => {};
  socket.on('data', (bytes) => {
    kept = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
    const length = answerLength(kept);
    if (length === undefined || kept.length < length) return;
    const status = Number(kept.latin1Slice(9, 12));
    kept = kept.subarray(length);
    done(status);
  });
  socket.on('error', () => done(0));
  socket.on('close', () => done(0));
  return {
    opened: once(socket, 'connect'),
    /** Sends a request and calls back with the status, or 0 if the connection broke. */
    ask(bytes, callback) {
      done = callback;
      socket.write(bytes);
    },
    close() {
      done = () => {};
      socket.destroy();
    },
  };
}

/** Returns the number of bytes of the first answer; `undefined` while its head or a chunked body is incomplete. */
function answerLength(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end + 2);
  const at = head.search(/\r\ncontent-length:/i);
  if (at >= 0) return end + 4 + Number.parseInt(head.slice(at + 17), 10);
  const last = bytes.indexOf('0\r\n\r\n', end + 2, 'latin1');
  return last < 0 ? undefined : last + 5;
}
