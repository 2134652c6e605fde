/**
 * Posts each requested approval to a Slack channel. The message has one link and no button: a person decides in the
 * dashboard, after a login.
 *
 * ```sh
 * WEBHOOK_SECRET=whsec_… SLACK_WEBHOOK_URL=https://hooks.slack.com/… node approvals-to-slack.mjs
 * ```
 */
import { linesOf } from './lines.mjs';
import { receive } from './receiver.mjs';

const { SLACK_WEBHOOK_URL = '' } = process.env;
const TITLE = 'An approval waits for a person.';

receive(async (approval) => {
  // Slack shows the texts of a rich_text block as they are: no mention, no format and no link is read in them.
  const texts = [TITLE, ...linesOf(approval)].map((line) => ({ type: 'text', text: `${line}\n` }));
  const link = approval.url && { type: 'link', url: new URL(approval.url).href, text: 'Open the approval' };
  const section = { type: 'rich_text_section', elements: [...texts, ...(link ? [link] : [])] };
  const answer = await fetch(SLACK_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: TITLE, blocks: [{ type: 'rich_text', elements: [section] }] }),
  });
  if (!answer.ok) throw new Error(`Slack answered ${answer.status}.`);
});
