/** Creates, changes, rotates and removes webhooks, each in one write. */
import { formatInstant } from '../base/values/instant.ts';
import type { Actor } from '../core/shared/callers.ts';
import { accountOf, authorOf, type Context, now, nowAfter, usageCounter } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { logChange } from '../core/shared/security-log.ts';
import { insert, remove, replace, untilWritten } from '../core/storage/store.ts';
import { randomId } from '../credential/random-id.ts';
import { IdentityError } from '../errors.ts';
import type { Change } from '../ports/storage.ts';
import type { NewWebhook } from '../records/webhook.ts';
import { check, checkCopy } from '../schema/check.ts';
import type { WebhookRecord } from './collections.ts';
import { webhookPatchSchema, webhookRequestSchema, webhookRotationSchema } from './validators.generated.ts';
import { changedWebhook, readable, toWebhook } from './webhook-record.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { WebhookErrors, WebhookInput, WebhookPatch, WebhookRotation, Webhooks } from './webhooks.ts';

type Needs = Pick<Context, 'store' | 'clock' | 'random' | 'nextEventName' | 'session' | 'auditDays' | 'log'>;

type WebhookEvent = 'webhook.created' | 'webhook.updated' | 'webhook.rotated' | 'webhook.removed';

export interface ChangeParts {
  readonly secrets: WebhookSecrets;
  readonly errorsOf: WebhookErrors;
  readonly maxPerAccount: number;
  readonly changed: () => void;
}

export function createWebhookChanges(
  context: Needs,
  { secrets, errorsOf, maxPerAccount, changed }: ChangeParts,
): Pick<Webhooks<Actor>, 'create' | 'update' | 'remove' | 'rotate'> {
  const { store, clock } = context;

  /** Writes the result of `change`. Writes nothing if the result is the same record. */
  async function write(
    id: string,
    actor: Actor,
    [type, change]: readonly [WebhookEvent, (record: WebhookRecord) => WebhookRecord],
  ): Promise<{ readonly record: WebhookRecord; readonly isChanged: boolean }> {
    return untilWritten(async () => {
      const foundRecord = await changedWebhook(context, id, actor);
      const next = readable(actor, change(foundRecord));
      if (next === foundRecord) return { record: foundRecord, isChanged: false };
      const updated_at = nowAfter(context, foundRecord.updated_at);
      const record = { ...next, updated_at, version: foundRecord.version + 1 };
      const { written } = await store.write(
        replace('webhooks', record, foundRecord.version),
        webhookEvent(context, type, foundRecord, actor),
      );
      return written ? { record, isChanged: true } : undefined;
    });
  }

  return {
    async create(givenInput, actor = {}) {
      const input = readable(actor, checkCopy<WebhookInput>(webhookRequestSchema, givenInput, errorsOf));
      const account_id = accountOf(context, actor);
      const id = randomId('whk', context.random);
      const { secret, sealed } = await secrets.make(id);
      const created_by = authorOf(context, actor);
      const record = newWebhook({ id, account_id, created_by, sealed }, input, now(context));
      const counter = usageCounter('webhooks', account_id);
      const add = { op: 'add', counter, by: 1, max: maxPerAccount, at: record.created_at } as const;
      const event = webhookEvent(context, 'webhook.created', record, actor);
      const result = await store.write(insert('webhooks', record), add, event);
      if (!result.written) throw refusalOf(result.failure, maxPerAccount);
      logChange(context, 'webhook.created', actor, { webhook_id: id });
      changed();
      return { ...toWebhook(record), secret };
    },

    async update(id, givenPatch, actor = {}) {
      const patch = checkCopy<WebhookPatch>(webhookPatchSchema, givenPatch, errorsOf);
      const result = await write(id, actor, [
        'webhook.updated',
        (record) => patched(record, patch, now(context)),
      ]);
      if (result.isChanged) {
        logChange(context, 'webhook.updated', actor, { webhook_id: id });
        changed();
      }
      return toWebhook(result.record);
    },

    async remove(id, actor = {}) {
      await untilWritten(async () => {
        const { account_id, version } = await changedWebhook(context, id, actor);
        const counter = usageCounter('webhooks', account_id);
        const count = { op: 'add', counter, by: -1, at: now(context) } as const;
        const event = webhookEvent(context, 'webhook.removed', { id, account_id }, actor);
        return (await store.write(remove('webhooks', id, version), count, event)).written || undefined;
      });
      logChange(context, 'webhook.removed', actor, { webhook_id: id });
      changed();
    },

    async rotate(id, rotation = {}, actor = {}): Promise<NewWebhook> {
      const { grace_seconds = 0 } = check<WebhookRotation>(webhookRotationSchema, rotation);
      const { secret, sealed } = await secrets.make(id);
      const end = grace_seconds > 0 ? formatInstant(clock.now() + grace_seconds * 1_000) : null;
      const rotatedOf = (record: WebhookRecord) => ({ ...record, sealed, ...previousOf(record, end) });
      const { record } = await write(id, actor, ['webhook.rotated', rotatedOf]);
      logChange(context, 'webhook.rotated', actor, { webhook_id: id, until: end });
      return { ...toWebhook(record), secret };
    },
  };
}

/** Returns the previous secret. Until `end`, both the previous and the new secret sign requests. */
function previousOf(
  { sealed }: WebhookRecord,
  end: string | null,
): Pick<WebhookRecord, 'previous_sealed' | 'previous_until'> {
  return { previous_sealed: end === null ? null : sealed, previous_until: end };
}

function webhookEvent(
  context: Needs,
  type: WebhookEvent,
  { id: webhook_id, account_id }: Pick<WebhookRecord, 'id' | 'account_id'>,
  actor: Actor,
): Change {
  return eventOf(context, type, { account_id, data: { webhook_id, changed_by: authorOf(context, actor) } });
}

function newWebhook(
  record: Pick<WebhookRecord, 'id' | 'account_id' | 'created_by' | 'sealed'>,
  { url, types, description, format = 'event' }: WebhookInput,
  created_at: string,
): WebhookRecord {
  return {
    ...record,
    version: 1,
    created_at,
    updated_at: created_at,
    read_from: created_at,
    url,
    types,
    format,
    description: description ?? null,
    status: 'active',
    disabled_reason: null,
    last_success_at: null,
    last_failure_at: null,
    failures_in_a_row: 0,
    previous_sealed: null,
    previous_until: null,
  };
}

function patched(record: WebhookRecord, patch: WebhookPatch, present: string): WebhookRecord {
  const { url = record.url, types = record.types, status = record.status } = patch;
  const { description = record.description, format = record.format ?? 'event' } = patch;
  const next = { ...record, url, types, status, description, format };
  if (JSON.stringify(toWebhook(next)) === JSON.stringify(toWebhook(record))) return record;
  if (status === record.status) return next;
  if (status === 'disabled') return { ...next, disabled_reason: 'account' };
  return { ...next, disabled_reason: null, failures_in_a_row: 0, read_from: present };
}

function refusalOf(failure: string, max: number): IdentityError {
  if (failure !== 'limit') return new IdentityError('internal', 'The webhook could not be stored.');
  const message = `An account may have ${max} webhooks. Remove one first.`;
  return new IdentityError('plan_limit_reached', message);
}
