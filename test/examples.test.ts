import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const examples = fileURLToPath(new URL('../examples', import.meta.url));

/** What each example prints. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'in-process.mjs': [
    'did:web:example.com:agents:shopper',
    'payments.create 19.99 ALLOW ',
    'payments.create 100.01 DENY amount_over_limit',
    'payments.refund 5 DENY action_not_allowed currency_mismatch',
    'orders.list - ALLOW ',
    'orders.list - DENY agent_revoked',
  ],
  'express-host.mjs': ['asked ALLOW', 'paid 25 ALLOW', 'paid 250 DENY'],
  'host-login.mjs': [
    'sid=none 401',
    'sid=bob 403',
    'sid=ann 201',
    'ann, from another site 403',
    'sid=bob sees 1',
    'sid=eve sees 0',
  ],
  'daily-budget.mjs': [
    'ALLOW true 40 left',
    '30 ALLOW',
    '30 DENY budget_exceeded: 10 left',
    'spent 97.5 left 2.5',
  ],
  'retry-once.mjs': [
    'The answer of the bank is lost.',
    '  held 60 spent 0 payments 1',
    'Paid 60 EUR for order-17.',
    '  held 0 spent 60 payments 1',
    'DENY: There is no verdict. (verdict_unavailable) The tool was not run.',
    '  held 0 spent 60 payments 1',
  ],
  'metered-model.mjs': [
    'Hello - 50 spent, 230 left',
    '80 words - 170 spent, 110 left',
    'budget_exceeded - 170 spent, 110 left',
    'budget.threshold 50 120',
  ],
  'child-agent.mjs': [
    'shopper-child 60 ALLOW',
    'shopper-child 90 DENY amount_over_limit',
    'shopper 60 DENY budget_exceeded',
    'shopper-child 5 DENY agent_suspended',
  ],
  'approved-payment.mjs': [
    'ALLOW',
    'DENY approval_required',
    'true 250',
    'DENY approval_mismatch',
    'ALLOW',
    'DENY approval_used',
  ],
  'demand-permit.mjs': [
    'without a permit: malformed',
    'another amount: deed',
    'this payment: paid 25',
    'once more: used',
    'a DENY has null',
  ],
  'custom-rule.mjs': [
    '2026-11-20T12:00:00Z ALLOW []',
    '2026-11-20T23:00:00Z DENY [',
    '  {',
    "    code: 'outside_hours',",
    "    message: 'Payments are made from 8 to 18 UTC.',",
    '    hour: 23',
    '  }',
    ']',
  ],
  'custom-storage.mjs': [
    'claims of the contract that hold: all',
    'insert, insert, insert, insert, insert, add',
    'replace, insert, insert',
  ],
  'local-verifier.mjs': ['ALLOW', 'DENY agent_revoked true'],
  'remote-client.mjs': ['ALLOW', 'DENY agent_revoked', 'service_unreachable'],
  'stop-revoked-agent.mjs': ['step 1', 'step 2', 'step 3', 'stopped by passport.revoked'],
  'prometheus.mjs': [
    'text/plain; version=0.0.4; charset=utf-8',
    'agent_identity_verdicts_total{verdict="ALLOW",environment="live",dry_run="false"} 2',
    'agent_identity_verdicts_total{verdict="DENY",environment="live",dry_run="false"} 1',
    'agent_identity_reasons_total{code="action_not_allowed"} 1',
    'agent_identity_storage_up 1',
  ],
  'opentelemetry.mjs': [
    'without an SDK nothing is counted',
    'agent_identity.verdicts true ALLOW live false',
    'agent_identity.verdict.duration true ALLOW',
    'agent_identity.verdicts true DENY live false',
    'agent_identity.verdict.duration true DENY',
    'agent_identity.reasons true action_not_allowed',
  ],
  'agent-framework.mjs': [
    'ALLOW Paid 25.',
    'IdentityError: DENY: The amount is over the limit. (amount_over_limit) The tool was not run.',
    'paid [ 25 ]',
  ],
};

/** Imported by another example; it does nothing by itself. */
const parts = ['scripted-model.mjs', 'talking-model.mjs'];

test('every example is run here', () => {
  const files = readdirSync(examples).filter((name) => name.endsWith('.mjs'));
  expect(files.sort()).toEqual([...Object.keys(printed), ...parts].sort());
});

for (const [file, lines] of Object.entries(printed)) {
  test(`${file} runs as it stands and says what it promises`, async () => {
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: examples, timeout: 60_000 });
    expect(stderr).toBe('');
    expect(
      stdout
        .replace(/hold: \d+$/m, 'hold: all')
        .trimEnd()
        .split('\n'),
    ).toEqual(lines);
  });
}
