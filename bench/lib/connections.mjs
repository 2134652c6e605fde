import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Keep-alive connections that take one request each at a time, as bytes, and read no more of an answer than
 * where it ends and its status.
 */
export async function openConnections(port, count) {
  const connections = Array.from({ length: count }, () => openConnection(port));
  await Promise.all(connections.map(({ opened }) => opened));
  return connections;
}

/** The request as bytes. */
export function requestBytes(path, headers, body) {
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
    /** Calls back with the status, or 0 when the connection broke. */
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

/** The bytes of the first answer, or `undefined` while its head is not whole; chunked answers end with theirs. */
function answerLength(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end + 2);
  const at = head.search(/\r\ncontent-length:/i);
  if (at >= 0) return end + 4 + Number.parseInt(head.slice(at + 17), 10);
  const last = bytes.indexOf('0\r\n\r\n', end + 2, 'latin1');
  return last < 0 ? undefined : last + 5;
}
