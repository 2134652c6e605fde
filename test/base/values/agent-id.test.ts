import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatAgentId,
  hostOf,
  isAgentName,
  isDomain,
  isHost,
  parseAgentId,
} from '../../../src/base/values/agent-id.ts';
import { cases } from '../../support/runs.ts';

const label63 = 'a'.repeat(63);
const host253 = `${label63}.${label63}.${label63}.${'a'.repeat(61)}`;

describe('a domain', () => {
  test.each([
    'example.com',
    'a.b',
    'a-b.c-d',
    '0.a',
    '1--2.example',
    'ab--cd.example',
    `${label63}.example`,
    host253,
    `${host253}%3A65535`,
    'xn--mnchen-3ya.example',
    'example.xn--p1ai',
    'example.com%3A1',
    'example.com%3A444',
    'example.com%3A8443',
  ])('may be %s', (domain) => {
    expect(isDomain(domain)).toBe(true);
  });

  test.each([
    ['', 'nothing'],
    ['example', 'one label'],
    ['localhost', 'one label'],
    ['localhost%3A3000', 'one label'],
    ['.example.com', 'an empty label'],
    ['example..com', 'an empty label'],
    ['example.com.', 'an empty label'],
    ['Example.com', 'a capital'],
    [' example.com', 'a space'],
    ['example.com\n', 'a line end'],
    ['exam_ple.com', 'an underscore'],
    ['-a.example', 'a hyphen in front'],
    ['a-.example', 'a hyphen at the end'],
    ['bücher.example', 'a letter beyond ASCII'],
    ['127.0.0.1', 'a last label that begins with a digit'],
    ['example.1a', 'a last label that begins with a digit'],
    ['a.b.1c', 'a last label that begins with a digit'],
    [`${label63}a.example`, 'a label of 64'],
    [`${host253}a`, 'more than 253'],
    ['xn--.example', 'no Punycode'],
    ['xn--0.example', 'no Punycode'],
    ['xn--abc-.example', 'no Punycode'],
    ['xn--o49bsc.example', 'Punycode of surrogates'],
    ['xn--MNCHEN-3YA.example', 'a capital'],
    ['example.com:8443', 'a colon'],
    ['example.com%3a8443', 'a small a'],
    ['example.com%3A', 'no port'],
    ['example.com%3A0', 'port 0'],
    ['example.com%3A080', 'a leading zero'],
    ['example.com%3A443', 'the port that goes without saying'],
    ['example.com%3A65536', 'a port too great'],
    ['example.com%3A80%3A80', 'two ports'],
    ['example.com%2Fa', 'another escape'],
    ['example.com/a', 'a path'],
    ['user@example.com', 'a user'],
  ])('is not %j: %s', (domain) => {
    expect(isDomain(domain)).toBe(false);
  });

  test('may be localhost only where that is allowed', () => {
    for (const domain of ['localhost', 'localhost%3A3000']) {
      expect(isDomain(domain, { allowLocalhost: true })).toBe(true);
      expect(isDomain(domain, { allowLocalhost: false })).toBe(false);
    }
    for (const text of ['localhost%3A443', 'local', 'localhost.', 'a b', '', 'Example.com', '%3A80']) {
      expect(isDomain(text, { allowLocalhost: true })).toBe(false);
    }
    expect(isDomain('a.localhost', { allowLocalhost: true })).toBe(true);
  });

  test('is what the URL parser of the platform keeps as it is', () => {
    const characters = fc.constantFrom(...'ab01-.xn');
    fc.assert(
      fc.property(fc.array(characters, { minLength: 3, maxLength: 24 }), (parts) => {
        const text = parts.join('');
        if (isHost(text)) expect(hostInUrl(text)).toBe(text);
      }),
      // `xn--aa` is the Punycode of a control character, which IDNA takes for no name.
      { numRuns: cases(), examples: [[[...'a.xn--aa']]] },
    );
  });

  test('has a host, which is all but its port', () => {
    expect(hostOf('example.com')).toBe('example.com');
    expect(hostOf('example.com%3A8443')).toBe('example.com');
    expect(hostOf('%3A8443')).toBe('');
  });
});

test('an agent name has 1 to 63 small letters, digits, dots, hyphens and underscores', () => {
  for (const name of ['a', '0', 'buyer', 'a.b', 'a_b-c', 'a-', 'a_', 'a'.repeat(63)])
    expect(isAgentName(name)).toBe(true);
  for (const name of ['', '.a', '-a', '_a', 'a.', 'A', 'a b', 'a:b', 'ä', 'a%20b', 'a\n', 'a'.repeat(64)]) {
    expect(isAgentName(name)).toBe(false);
  }
});

describe('an agent id', () => {
  test('is parsed to the parts it was formatted of', () => {
    const names = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,61}[a-z0-9]$/);
    const domains = fc.stringMatching(/^([a-z0-9]{1,20}\.){1,3}[a-z][a-z0-9]{0,20}(%3A8[0-9]{1,3})?$/);
    fc.assert(
      fc.property(domains, names, (domain, agent_name) => {
        expect(parseAgentId(formatAgentId({ domain, agent_name }))).toEqual({ domain, agent_name });
      }),
      { numRuns: cases() },
    );
  });

  test('has a domain and a name', () => {
    const parts = { domain: 'example.com', agent_name: 'buyer' };
    expect(parseAgentId('did:web:example.com:agents:buyer')).toEqual(parts);
  });

  test('is nothing that formatting would not give back', () => {
    const near = fc.stringMatching(/^did:web:[a-z.:%3A]{1,12}:agents:[a-z.:]{1,6}$/);
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const parts = parseAgentId(text);
        if (parts !== undefined) expect(formatAgentId(parts)).toBe(text);
      }),
      { numRuns: cases() },
    );
  });

  test.each([
    '',
    'did:web:example.com',
    'did:web:example.com:agents:',
    'did:web:example.com:agents:a:b',
    'did:web:example.com:agents:a.',
    'did:web:example.com:agent:a',
    'did:web:example.com:x:agents:a',
    'did:key:example.com:agents:a',
    'did:web:localhost:agents:a',
    ' did:web:example.com:agents:a',
    'did:web:example.com:agents:a\n',
  ])('is not %j', (text) => {
    expect(parseAgentId(text)).toBeUndefined();
  });

  test('may be on localhost where that is allowed', () => {
    const parts = { domain: 'localhost%3A3000', agent_name: 'a' };
    expect(parseAgentId(formatAgentId(parts), { allowLocalhost: true })).toEqual(parts);
  });
});

/** The host as the URL parser of the platform spells it. IDNA forbids some texts that RFC 3492 can spell. */
function hostInUrl(host: string): string {
  if (URL.canParse(`https://${host}/`)) return new URL(`https://${host}/`).hostname;
  return host.includes('xn--') ? host : 'no host';
}
