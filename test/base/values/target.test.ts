import { describe, expect, test } from 'vitest';
import {
  isDid,
  isTargetEntry,
  isTargetPattern,
  matchesTarget,
  targetSet,
  targetsWithin,
} from '../../../src/base/values/target.ts';

test.each([
  'did:a:b',
  'did:web:example.com',
  'did:web:a%3A80:b',
  'did:1:::a',
  'did:k:A._-%aF',
  'did:web:a%00',
])('%s is a DID', (text) => {
  expect(isDid(text)).toBe(true);
});

test.each([
  '',
  'did',
  'did:',
  'did:a',
  'did:a:',
  'did::a',
  'did:A:b',
  'DID:a:b',
  'did:a:b:',
  'did:a:b c',
  'did:a:b/c',
])('%j is no DID', (text) => {
  expect(isDid(text)).toBe(false);
});

test.each([
  'did:a:b#c',
  'did:a:b?c',
  'did:a:%',
  'did:a:%4',
  'did:a:%4g',
  'did:a:b%',
  'did:a:ä',
  'did:a:b\n',
  ' did:a:b',
])('%j is no DID either', (text) => {
  expect(isDid(text)).toBe(false);
});

test('evaluates a DID of a million characters in linear time', () => {
  expect(isDid(`did:a:${'b'.repeat(1_000_000)}`)).toBe(true);
  expect(isDid(`did:a:${'b'.repeat(1_000_000)} `)).toBe(false);
  expect(isDid(`did:a:${'%41'.repeat(300_000)}:`)).toBe(false);
});

test('an entry of a list is a DID or a pattern', () => {
  for (const entry of ['did:key:z6Mk', 'did:web:a.b', 'did:web:*.a.b'])
    expect(isTargetEntry(entry)).toBe(true);
});

test('a pattern is did:web:*. and a domain without port', () => {
  for (const entry of ['did:web:*.example.com', 'did:web:*.a.b']) expect(isTargetPattern(entry)).toBe(true);
  const none = [
    'did:web:*',
    'did:web:*.',
    'did:web:*.com',
    'did:web:*example.com',
    'did:web:a.*.com',
    'did:web:**.a.b',
  ];
  for (const entry of [
    ...none,
    'did:web:*.a.b%3A80',
    'did:web:*.a.b:c',
    'did:key:*.a.b',
    'did:web:*.A.b',
    '*',
    '',
  ]) {
    expect(isTargetEntry(entry)).toBe(false);
  }
});

test('a set keeps DIDs and patterns apart', () => {
  expect(targetSet(['did:web:a.b', 'did:web:*.c.d', 'did:key:z'])).toEqual({
    exact: ['did:web:a.b', 'did:key:z'],
    patterns: ['.c.d'],
  });
});

describe('a list of targets', () => {
  test('matches nothing that is no DID, not even the text of its pattern', () => {
    const set = targetSet(['did:web:*.shop.example', 'did:key:z6Mk']);
    const texts = [
      'did:web:*.shop.example',
      'did:web:a.shop.example:',
      'did:web:a.shop.example/x',
      '.shop.example',
    ];
    for (const text of [...texts, 'x:web:a.shop.example', 'did:web:a.shop.example ', '', 'did:web:*']) {
      expect(matchesTarget(set, text)).toBe(false);
    }
    expect(matchesTarget(targetSet([]), 'did:key:z6Mk')).toBe(false);
  });

  test('matches by exact code units', () => {
    const set = targetSet(['did:web:a.example', 'did:key:z6Mk']);
    expect(matchesTarget(set, 'did:key:z6Mk')).toBe(true);
    for (const did of ['did:web:A.example', 'did:web:a.example:b', 'did:key:z6mk']) {
      expect(matchesTarget(set, did)).toBe(false);
    }
  });

  test('matches every sub-domain of a pattern, with or without a path, not the domain itself', () => {
    const set = targetSet(['did:web:*.shop.example', 'did:key:z6Mk']);
    for (const did of [
      'did:web:a.shop.example',
      'did:web:b.a.shop.example',
      'did:web:a.shop.example:agents:x',
    ]) {
      expect(matchesTarget(set, did)).toBe(true);
    }
    for (const did of [
      'did:web:shop.example',
      'did:web:ashop.example',
      'did:web:a.shop.example.org',
      'did:key:a',
    ]) {
      expect(matchesTarget(set, did)).toBe(false);
    }
    expect(matchesTarget(set, 'did:web:xn--mnchen-3ya.shop.example')).toBe(true);
  });

  test('matches where one of several patterns does', () => {
    const set = targetSet(['did:web:*.shop.example', 'did:web:*.bank.example']);
    expect(matchesTarget(set, 'did:web:a.shop.example')).toBe(true);
    expect(matchesTarget(set, 'did:web:a.bank.example')).toBe(true);
    expect(matchesTarget(set, 'did:web:a.other.example')).toBe(false);
  });

  test('matches by pattern only hosts that are domains without port', () => {
    const set = targetSet(['did:web:*.shop.example']);
    const hosts = ['', 'A', 'a_b', '-a', 'a%3A80', 'a%2E', 'xn--0', 'a..b', 'a'.repeat(64)];
    for (const host of hosts) expect(matchesTarget(set, `did:web:${host}.shop.example`)).toBe(false);
    expect(matchesTarget(set, 'did:web:a.shop.example%3A8443')).toBe(false);
    expect(matchesTarget(set, 'did:web:evil.example%2F.shop.example')).toBe(false);
    expect(matchesTarget(set, 'did:jwk:a.shop.example')).toBe(false);
    expect(matchesTarget(set, 'did:web:x:a.shop.example')).toBe(false);
  });
});

describe('an entry covers another', () => {
  test.each([
    ['did:key:z6Mk', 'did:key:z6Mk'],
    ['did:web:*.shop.example', 'did:web:*.shop.example'],
    ['did:web:*.shop.example', 'did:web:*.a.shop.example'],
    ['did:web:*.shop.example', 'did:web:a.shop.example'],
    ['did:web:*.shop.example', 'did:web:a.shop.example:agents:x'],
  ])('%s covers %s', (entry, other) => {
    expect(targetsWithin([[entry]])(other)).toBe(true);
  });

  test.each([
    ['did:key:z6Mk', 'did:key:z6Mk2'],
    ['did:web:a.shop.example', 'did:web:*.a.shop.example'],
    ['did:web:a.shop.example', 'did:web:b.a.shop.example'],
    ['did:web:*.shop.example', 'did:web:shop.example'],
    ['did:web:*.shop.example', 'did:web:*.example'],
    ['did:web:*.shop.example', 'did:web:*.my-shop.example'],
    ['did:web:*.shop.example', 'did:web:ashop.example'],
    ['did:web:*.a.shop.example', 'did:web:*.shop.example'],
    ['did:web:*.shop.example', 'did:key:a.shop.example'],
    ['did:web:*.shop.example', 'did:web:a.shopx.example'],
    ['did:web:*.shop.example', 'did:web:a.xshop.example'],
    ['did:web:*.shop.example', 'did:web:a_b.shop.example'],
  ])('%s does not cover %s', (entry, other) => {
    expect(targetsWithin([[entry]])(other)).toBe(false);
  });

  test('is within lists only where each of them covers it', () => {
    const isWithin = targetsWithin([['did:web:*.shop.example'], ['did:web:*.a.shop.example', 'did:key:z']]);
    expect(isWithin('did:web:b.a.shop.example')).toBe(true);
    expect(isWithin('did:web:*.a.shop.example')).toBe(true);
    expect(isWithin('did:web:b.shop.example')).toBe(false);
    expect(isWithin('did:key:z')).toBe(false);
  });
});
