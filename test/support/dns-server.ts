import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { onTestFinished } from 'vitest';

/** The records of a name: addresses of both families, and texts. */
export interface DnsRecords {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly txt?: readonly string[];
}

/** A name server on this machine, and a resolver that asks it and no other. */
export interface DnsServer {
  readonly resolver: Resolver;
  /** The names that were asked for, in order. */
  readonly asked: readonly string[];
  /** Sets the answers from now on. A function is called for each question. */
  set(name: string, records: DnsRecords | (() => DnsRecords)): void;
}

const TYPES = { 1: 'a', 28: 'aaaa', 16: 'txt' } as const;
const NO_SUCH_NAME = 3;

/** Serves DNS over UDP on loopback until the test ends. */
export async function openDnsServer(): Promise<DnsServer> {
  const names = new Map<string, () => DnsRecords>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const records = names.get(name)?.();
    const kind = TYPES[type as keyof typeof TYPES];
    const answers = (kind === undefined ? [] : (records?.[kind] ?? [])).map((text) => answerOf(type, text));
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (records === undefined ? NO_SUCH_NAME : 0), 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    asked,
    set: (name, records) => void names.set(name, typeof records === 'function' ? records : () => records),
  };
}

function questionOf(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of the name that was asked for, which stands at byte 12. */
function answerOf(type: number, text: string): Buffer {
  const data = dataOf(type, text);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: number, text: string): Buffer {
  if (type === 1) return Buffer.from(text.split('.').map(Number));
  if (type === 16) {
    const chunks = text.match(/.{1,255}/gs) ?? [''];
    return Buffer.concat(chunks.map((chunk) => Buffer.concat([Buffer.of(chunk.length), Buffer.from(chunk)])));
  }
  const [head = '', tail = ''] = text.split('::');
  const groups = (half: string) => half.split(':').filter((group) => group !== '');
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [
    ...groups(head),
    ...Array.from({ length: text.includes('::') ? zeros : 0 }, () => '0'),
    ...groups(tail),
  ];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
