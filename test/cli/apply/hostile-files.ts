/** Files that `apply` must refuse: each with the place of its fault, and a part of the message. */
import { GIVEN_KEY, GIVEN_PEM, GIVEN_WEBHOOK } from './secrets.ts';

/** A file. Where its text holds `MARK`, no message may. */
export interface HostileFile {
  readonly title: string;
  readonly name: 'a.json' | 'a.yaml';
  readonly text: string | Uint8Array;
  /** `line:column`. */
  readonly at: string;
  readonly message: RegExp;
}

/** A text that no message may repeat. */
export const MARK = 'zq7marker';

const KIB = 1024;
const BODY = '"domain":"example.com","agent_name":"a","allowed_actions":[],"monetary_limit_per_txn":1';
const YAML = 'domain: example.com\nagent_name: a\nallowed_actions: []\nmonetary_limit_per_txn: 1\n';
const wide = (names: number): string =>
  Array.from({ length: names }, (_, index) => `  k${index}: v\n`).join('');

const json = (title: string, text: string | Uint8Array, at: string, message: RegExp): HostileFile => ({
  ...{ title, name: 'a.json', text, at, message },
});
const yaml = (title: string, text: string | Uint8Array, at: string, message: RegExp): HostileFile => ({
  ...{ title, name: 'a.yaml', text, at, message },
});

const ofJson: readonly HostileFile[] = [
  json('an empty file', '', '1:1', /the text ends/),
  json('a list', `[{${BODY}}]`, '1:1', /is no JSON object\. Write a passport as one object/),
  json('a repeated name', `{${BODY},"domain":"${MARK}"}`, '1:1', /a name twice/),
  json('the name __proto__', `{${BODY},\n"__proto__":{"${MARK}":1}}`, '2:1', /__proto__/),
  json('a comment', `{${BODY}} // ${MARK}`, '1:91', /a comment/),
  json('bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22]), '1:3', /UTF-8/),
  json('a byte-order mark', `\uFEFF{${BODY}}`, '1:1', /byte-order mark/),
  json('33 levels', '['.repeat(40), '1:33', /too many levels/),
  json('100,000 levels', '['.repeat(60_000), '1:33', /too many levels/),
  json('1,001 members', `[${'1,'.repeat(1_001)}1]`, '1:2002', /too many members/),
  json('more than 64 KiB', `{${BODY},"description":"${'x'.repeat(64 * KIB)}"}`, '1:1', /larger than 65536/),
  json('an inexact number', `{"a":0.1000000000000000000001}`, '1:6', /hold exactly/),
  json('half a character', `{"a":"\\ud800"}`, '1:7', /bad escape/),
  json('an unknown field', `{${BODY},\n "${MARK}":1}`, '2:2', /no such field/),
  json(
    'a field of a wrong type',
    `{${BODY.replace('[]', `["ok","${MARK} x"]`)}}`,
    '1:66',
    /must be an action/,
  ),
  json('a set', `{${BODY},\n"managed_by":"${MARK}"}`, '2:1', /--set/),
  json(
    'another agent_id',
    `{${BODY},"agent_id":"did:web:${MARK}.com:agents:a"}`,
    '1:90',
    /This must be did:web:/,
  ),
  json('a parent that is no agent', `{${BODY},"parent_agent_id":"${MARK}"}`, '1:90', /id of an agent/),
  json('its own parent', `{${BODY},"parent_agent_id":"did:web:example.com:agents:a"}`, '1:90', /own parents/),
  json('an API key', `{${BODY},\n"description":"${GIVEN_KEY}"}`, '2:16', /a secret/),
  json(
    'an API key with an escape',
    `{${BODY},\n"description":"\\u0061${GIVEN_KEY.slice(1)}"}`,
    '2:1',
    /a secret/,
  ),
  json(
    'the secret of a webhook as a name',
    `{${BODY},"metadata":{"${GIVEN_WEBHOOK}":"a"}}`,
    '1:103',
    /a secret/,
  ),
  json(
    'a private JWK',
    `{${BODY},"public_keys":[{"kty":"OKP","crv":"Ed25519","x":"a","d":"${MARK}"}]}`,
    '1:105',
    /a secret/,
  ),
];

const ofYaml: readonly HostileFile[] = [
  yaml('comments alone', '# nothing\n', '1:1', /no passport in it/),
  yaml('a text', `${MARK}\n`, '1:1', /one object/),
  yaml('an anchor', `${YAML}description: &a ${MARK}\n`, '5:14', /anchor/),
  yaml('an alias', `${YAML}description: *${MARK}\n`, '5:14', /alias/),
  yaml('a bomb of aliases', `a: &a [x]\nb: &b [${'*a,'.repeat(9)}*a]\n`, '1:4', /anchor/),
  yaml('a tag', `${YAML}description: !!binary ${MARK}\n`, '5:14', /tag/),
  yaml('a directive', `%YAML 1.1\n---\n${YAML}`, '1:1', /directive/),
  yaml('a merge key', `${YAML}<<: {description: a}\n`, '5:1', /Quote this text/),
  yaml('a name that is a number', `${YAML}metadata:\n  1: a\n`, '6:3', /must be a text/),
  yaml('a name that is a list', `${YAML}[a, b]: c\n`, '5:1', /must be a text/),
  yaml('a repeated name', `${YAML}domain: ${MARK}.com\n`, '5:1', /repeated/),
  yaml('20,000 repeated names', `a: {${'k: v, '.repeat(10_000)}}\n`, '1:6000', /1000 members/),
  yaml('1,001 names', `${YAML}metadata:\n${wide(1_001)}`, '6:3', /1000 members/),
  yaml('60,000 braces', '{'.repeat(60_000), '1:33', /32 levels/),
  yaml('33 levels of lists in one line', `a: ${'- '.repeat(40)}`, '1:4', /not acceptable YAML|32 levels/),
  yaml('30,000 names in one line', '? '.repeat(30_000), '1:1', /begins with \?/),
  yaml('two documents of one agent', `${YAML}---\n${YAML}`, '6:1', /same agent is at .*a\.yaml:1:1/),
  yaml('a control character', `${YAML}description: "a\u0007"\n`, '5:16', /character/),
  yaml('a tab as indent', `${YAML}metadata:\n\ta: b\n`, '6:1', /not acceptable YAML: tab as indent/),
  yaml('a private key as a block', `${YAML}description: |\n  ${GIVEN_PEM}\n`, '6:3', /a secret/),
  yaml('an API key in a comment', `${YAML}# old: ${GIVEN_KEY}\n`, '5:8', /a secret/),
  ...['no', 'on', '~', '012', '0x1F', '1_000', '12:30', '2026-01-31', '.inf', '0o17', 'Null'].map((text) =>
    yaml(`the text ${text}`, `${YAML}description: ${text}\n`, '5:14', /Quote this text/),
  ),
  yaml(
    'a number that a double rounds',
    `${YAML}description: 0.1000000000000000000001\n`,
    '5:14',
    /Quote this number/,
  ),
  yaml('a missing value', `${YAML}description:\n`, '5:13', /missing/),
];

/** All of them. */
export const HOSTILE_FILES: readonly HostileFile[] = [...ofJson, ...ofYaml];
