import { frame } from './frame.ts';
import { type Html, html } from './html.ts';
import type { DashboardOptions } from './options.ts';

/** What runs here, and where to go from here. */
export function homePage({ version, origin, storage }: DashboardOptions): Html {
  return frame(
    'Agent Identity Service',
    html`<header class="lead">
<p class="kicker">It runs.</p>
<h1>Agent Identity Service</h1>
<p>Passports for software agents: what an agent may do, for whom, up to how much. Before it acts, ask; the
answer is <strong class="allow">ALLOW</strong>, or <strong class="deny">DENY</strong> with every reason.</p>
<dl class="facts">
<dt>Version</dt><dd>${version}</dd>
<dt>Storage</dt><dd>${storage}${storage === 'memory' ? ' (forgets everything when it stops)' : ''}</dd>
<dt>Health</dt><dd><a href="/api/health/ready">/api/health/ready</a></dd>
<dt>Reference</dt><dd><a href="/reference">All endpoints, readable</a></dd>
<dt>OpenAPI 3.1</dt><dd><a href="/api/openapi.json">/api/openapi.json</a></dd>
</dl>
</header>
<h2>From here to the first verdict</h2>
<ol class="steps">
<li><a href="/reference#post-auth-login">Log in</a> with the account of the first start, for a token of one hour.</li>
<li><a href="/reference#post-keys">Make an API key</a>: what agents and their hosts verify with.</li>
<li><a href="/reference#post-passports">Issue a passport</a>: actions, limit, currency, targets, dates.</li>
<li><a href="/reference#post-verify">Ask for a verdict</a> before every action:</li>
</ol>
<pre tabindex="0"><code>${verifyCommand(origin)}</code></pre>
<p class="quiet">The first start printed these four as commands to copy. For the password and everything else
there is the command: <code>agent-identity --help</code>.</p>
<h2>When something is wrong with an agent</h2>
<p><a href="/reference#post-suspend">Suspend</a> its passport for a while,
<a href="/reference#post-revoke">revoke</a> it permanently, or take its
<a href="/reference#delete-keys-id">key</a> away.</p>`,
  );
}

function verifyCommand(origin: string): string {
  return `curl ${origin}/api/verify \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"agent_id": "did:web:example.com:agents:shopper",
       "action": "payments.create",
       "parameters": {"amount": 25, "currency": "EUR"}}'`;
}
