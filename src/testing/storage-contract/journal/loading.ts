import { MAX_LOADED_BLOCKS } from '../../../ports/journal.ts';
import { assertEqual, assertRejects } from '../assertions.ts';
import type { Claim } from '../case.ts';
import { block, filesEach, lists, loads, nameOf, opened, WRITER, writerId } from './fixtures.ts';

export const loading: readonly Claim[] = [
  [
    'blocks are loaded in the order of their names, and what is not stored is undefined',
    async (storage) => {
      await opened(storage);
      const blocks = [1, 2, 3].map((seq) => block(seq));
      await filesEach(storage, blocks);
      const [first, second, third] = blocks;
      const missing = [
        { writer: WRITER, seq: 4, account_id: 'acc_a' },
        { writer: WRITER, seq: 1, account_id: 'acc_b' },
        { writer: WRITER, seq: 1, account_id: '' },
        { writer: writerId('writer'), seq: 1, account_id: 'acc_a' },
      ];
      const names = [...missing, ...[third, first, second].flatMap((filed) => filed ?? [])].map(nameOf);
      assertEqual(
        await storage.journal.load(names),
        [undefined, undefined, undefined, undefined, third, first, second],
        'the blocks',
      );
      assertEqual(
        await storage.journal.load([...missing, ...missing]),
        Array(8).fill(undefined),
        'missing ones',
      );
      assertEqual(await storage.journal.load([]), [], 'no names');
    },
  ],
  [
    'a name that is given twice is answered twice',
    async (storage) => {
      await opened(storage);
      await filesEach(storage, [block(1), block(2)]);
      await loads(storage, [block(1), block(2), block(1)]);
    },
  ],
  [
    'names of blocks are compared as a whole',
    async (storage) => {
      const ids = ['A', 'A1', 'A11'].map((start) => start.padEnd(18, '1'));
      const [one = ''] = ids;
      await opened(storage, one, writerId('B'));
      const blocks = [1, 11, 111].map((seq) => block(seq, { writer: one, account_id: '1' }));
      const others = [1, 11].map((seq) => block(seq, { writer: writerId('B'), account_id: '11' }));
      await filesEach(storage, [...blocks, ...others]);
      await loads(storage, [...others, ...blocks]);
      const crossed = { writer: one, seq: 1, account_id: '11' };
      assertEqual(await storage.journal.load([crossed]), [undefined], 'a name of parts of others');
    },
  ],
  [
    '16 blocks are loaded at once, and more are refused',
    async (storage) => {
      await opened(storage);
      const blocks = Array.from({ length: MAX_LOADED_BLOCKS + 1 }, (_, at) => block(at + 1));
      await filesEach(storage, blocks);
      await loads(storage, blocks.slice(1));
      await assertRejects(storage.journal.load(blocks.map(nameOf)), '17 names');
    },
  ],
  [
    'who changes what it was given changes nothing that is stored',
    async (storage) => {
      await opened(storage);
      await filesEach(storage, [block(1)]);
      const found = [
        ...(await storage.journal.load([nameOf(block(1))])),
        ...(await storage.journal.blocks({ account_id: 'acc_a', limit: 1 })),
        ...(await storage.journal.filed({ writer: WRITER, from: 0, to: 1, limit: 1 })),
      ];
      for (const given of found) {
        if (given === undefined) continue;
        Reflect.set(given, 'to_ms', 7);
        Reflect.set(given, 'account_id', 'acc_b');
        Reflect.set(given, 'data', new Uint8Array(0));
      }
      await loads(storage, [block(1)]);
      await lists(storage, {}, [block(1)]);
    },
  ],
];
