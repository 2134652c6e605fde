import { describe, expect, test } from 'vitest';
import { fairQueue, type Visitor } from '../../src/credential/fair-queue.ts';

interface Named extends Visitor {
  readonly name: string;
}

/** `1.2.3 a` is `a` of the networks `1`, `1.2` and `1.2.3`; with `!` behind it its e-mail has had failures. */
function visitor(text: string): Named {
  const [address = '', name = ''] = text.split(' ');
  const [a, b, c] = address.split('.');
  return { name, hasFailed: name.endsWith('!'), networks: [`${a}`, `${a}.${b}`, `${a}.${b}.${c}`] };
}

/** A queue whose places are all taken by these. */
function full(...waiting: readonly string[]) {
  const queue = fairQueue<Named>(waiting.length);
  queue.start(visitor('9.9.9 active'));
  for (const one of waiting) expect(queue.join(visitor(one))).toBeUndefined();
  return queue;
}

describe('who loses its place', () => {
  test.each([
    ['2.1.1 new', 'b', ['1.2.2 a', '1.2.2 b', '1.2.1 c', '1.1.1 d']],
    ['2.1.1 new', 'b!', ['1.1.1 a', '1.1.1 b!', '1.1.1 c']],
    ['2.1.1 new', 'c', ['1.1.1 a', '1.1.1 b', '1.1.1 c', '3.1.1 d']],
    ['2.1.1 new!', 'c', ['1.1.1 a', '1.1.1 b', '1.1.1 c', '3.1.1 d']],
    ['1.1.1 new', 'b!', ['1.1.1 a!', '1.1.1 b!', '1.1.1 c']],
    ['1.1.1 new!', 'new!', ['1.1.1 a!', '1.1.1 b!', '1.1.1 c']],
    ['1.1.1 new', 'new', ['1.1.1 a', '1.1.1 b', '1.1.1 c']],
    // With one waiting fewer than the other network it gets a place only of one with failures there.
    ['2.1.1 new', 'b!', ['1.1.1 a', '1.1.1 b!', '2.1.1 c', '3.1.1 d!']],
    ['2.1.1 new!', 'new!', ['1.1.1 a', '1.1.1 b!', '2.1.1 c', '3.1.1 d!']],
    ['2.1.1 new', 'new', ['1.1.1 a', '1.1.1 b', '2.1.1 c', '3.1.1 d!']],
    ['2.1.1 new', 'new', ['1.1.1 a', '2.1.1 b', '3.1.1 c!']],
    // The same one level below, in a network of its own that has most.
    ['1.2.1 new', 'c', ['1.1.1 a', '1.1.1 b', '1.1.1 c', '2.1.1 d']],
    ['1.2.1 new', 'b!', ['1.1.1 a', '1.1.1 b!', '1.2.1 c', '2.1.1 d!']],
    ['1.2.1 new!', 'new!', ['1.1.1 a', '1.1.1 b!', '1.2.1 c', '2.1.1 d!']],
    ['1.1.2 new', 'b', ['1.1.1 a', '1.1.1 b', '1.2.1 c', '2.1.1 d']],
  ])('to %s is %s of %j', (newcomer, loser, waiting) => {
    const queue = full(...waiting);
    const one = visitor(newcomer);
    expect(queue.join(one)?.name).toBe(loser);
  });

  test('is none while there is a place', () => {
    const queue = fairQueue<Named>(2);
    expect(queue.join(visitor('1.1.1 a'))).toBeUndefined();
    expect(queue.join(visitor('1.1.1 b'))).toBeUndefined();
    expect(queue.join(visitor('1.1.1 c'))?.name).toBe('c');
  });

  test('waits no more, and the other in its place', () => {
    const queue = full('1.1.1 a', '1.1.1 b');
    queue.join(visitor('2.1.1 c'));
    expect([queue.next()?.name, queue.next()?.name, queue.next()]).toEqual(['a', 'c', undefined]);
  });
});

describe('the last turn of a network', () => {
  const [a, b, c] = ['1.1.1 a', '1.1.1 b', '1.1.1 c'].map(visitor) as [Named, Named, Named];
  const order = (queue: ReturnType<typeof fairQueue<Named>>) => [queue.next()?.name, queue.next()?.name];

  test('is forgotten with the last of it', () => {
    const queue = fairQueue<Named>(9);
    queue.start(a);
    queue.leave(a);
    queue.start(visitor('2.1.1'));
    queue.start(visitor('3.1.1'));
    queue.join(visitor('4.1.1 other'));
    queue.join(b);
    expect(order(queue)).toEqual(['other', 'b']);
  });

  test('is known while another of it has its turn', () => {
    const queue = fairQueue<Named>(9);
    queue.start(a);
    queue.start(b);
    queue.start(visitor('2.1.1'));
    queue.leave(a);
    queue.join(visitor('3.1.1 other'));
    queue.join(c);
    expect(order(queue)).toEqual(['c', 'other']);
  });

  test('is known while another of it waits', () => {
    const queue = fairQueue<Named>(9);
    queue.start(a);
    queue.join(b);
    queue.join(visitor('3.1.1 other'));
    queue.leave(a);
    expect(order(queue)).toEqual(['other', 'b']);
  });
});

describe('visitors with failures', () => {
  const queueOf = (...waiting: readonly string[]) => {
    const queue = full(...waiting);
    return () => waiting.map(() => queue.next()?.name).join(' ');
  };

  test('come after every three others', () => {
    const names = queueOf('1.1.1 x!', '1.1.1 y!', ...'abcdefg'.split('').map((name) => `1.1.1 ${name}`));
    expect(names()).toBe('a b c x! d e f y! g');
  });

  test('come after three others that passed them by, not that came before them', () => {
    const queue = fairQueue<Named>(99);
    for (const name of 'abcdefgh') queue.join(visitor(`1.1.1 ${name}`));
    for (const name of 'abcd') expect(queue.next()?.name).toBe(name);
    queue.join(visitor('1.1.1 x!'));
    expect(Array.from('efgx', () => queue.next()?.name)).toEqual(['e', 'f', 'g', 'x!']);
  });
});

test('who has left gets no turn, and leaving twice changes nothing', () => {
  const queue = fairQueue<Named>(9);
  const [a, b, c] = ['1.1.1 a', '1.1.1 b', '1.1.1 c'].map(visitor) as [Named, Named, Named];
  for (const one of [a, b, c]) queue.join(one);
  queue.leave(b);
  queue.leave(b);
  expect([queue.next()?.name, queue.next()?.name, queue.next()]).toEqual(['a', 'c', undefined]);
});
