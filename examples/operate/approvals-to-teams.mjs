/**
 * Posts each requested approval to a Microsoft Teams channel, through a workflow that receives webhooks. The card has
 * one link and no button: a person decides in the dashboard, after a login.
 *
 * ```sh
 * WEBHOOK_SECRET=whsec_… TEAMS_WEBHOOK_URL=https://… node approvals-to-teams.mjs
 * ```
 */
import { linesOf } from './lines.mjs';
import { receive } from './receiver.mjs';

const { TEAMS_WEBHOOK_URL = '' } = process.env;
const TITLE = 'An approval waits for a person.';

receive(async (approval) => {
  // Teams shows a TextRun as it is. Only a TextBlock is Markdown: here it has no text of an agent.
  const texts = [TITLE, ...linesOf(approval)].map((text) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text }],
  }));
  const link = approval.url && {
    type: 'TextBlock',
    text: `[Open the approval](${new URL(approval.url).href})`,
  };
  const body = [...texts, ...(link ? [link] : [])];
  const content = { type: 'AdaptiveCard', version: '1.4', body };
  const attachments = [{ contentType: 'application/vnd.microsoft.card.adaptive', content }];
  const answer = await fetch(TEAMS_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'message', attachments }),
  });
  if (!answer.ok) throw new Error(`Teams answered ${answer.status}.`);
});
