import { assert, assertEqual } from './assertions.ts';
import type { Claim } from './case.ts';

export const sharedTexts: readonly Claim[] = [
  [
    'a shared text is kept under its name, and no other name has it',
    async (storage) => {
      assertEqual(await storage.remember('one'), undefined, 'before it is set');
      assertEqual(await storage.remember('one', { to: 'a b.c/+=' }), 'a b.c/+=', 'the answer to the first');
      assertEqual(await storage.remember('one'), 'a b.c/+=', 'what is kept');
      assertEqual(await storage.remember('two'), undefined, 'another name');
    },
  ],
  [
    'a shared text is replaced only if it is what was expected',
    async (storage) => {
      assertEqual(await storage.remember('one', { from: 'a', to: 'b' }), undefined, 'where there is none');
      await storage.remember('one', { to: 'a' });
      assertEqual(await storage.remember('one', { to: 'b' }), 'a', 'where one is, and none was expected');
      assertEqual(await storage.remember('one', { from: 'b', to: 'c' }), 'a', 'where another was expected');
      assertEqual(await storage.remember('one', { from: 'a', to: 'c' }), 'c', 'where it was expected');
      assertEqual(await storage.remember('one'), 'c', 'what is kept');
    },
  ],
  [
    'of many who set a shared text at the same time one wins, and all are given what it has set',
    async (storage) => {
      const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
      const answers = await Promise.all(texts.map((to) => storage.remember('one', { to })));
      const [winner = ''] = answers;
      assert(texts.includes(winner), `${winner} is one of them`);
      assertEqual(new Set(answers).size, 1, 'the number of answers');
      assertEqual(await storage.remember('one'), winner, 'what is kept');
    },
  ],
];
