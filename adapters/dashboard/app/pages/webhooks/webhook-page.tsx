import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewWebhook, Webhook } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { Breaks } from '../../parts/breaks.tsx';
import { Lines } from '../../parts/copy.tsx';
import { Confirm, DialogForm } from '../../parts/dialog-form.tsx';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Reveal } from '../../parts/reveal.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { call } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { may } from '../../state/rights.ts';
import { go, href } from '../../state/route.ts';
import { useTask } from '../../state/task.ts';
import { count, GRACES } from '../../text/words.ts';
import { Deliveries } from './deliveries.tsx';
import { ChangeWebhook } from './webhook-form.tsx';

type Dialog = 'change' | 'rotate' | 'disable' | 'remove';

const WHY: Readonly<Record<string, string>> = {
  account: 'by this account',
  gone: 'the URL answered 410 Gone',
  failures: 'an event failed ten times',
};

export function WebhookPage({ id }: { id: string }): JSX.Element {
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const webhook = useLoad(path, (signal) => call<Webhook>('GET', path, { signal }));
  const [open, setOpen] = useState<Dialog>();
  const [rotatedWebhook, setRotated] = useState<NewWebhook>();
  const close = () => setOpen(undefined);
  const { data } = webhook;
  async function setStatus(status: Webhook['status']): Promise<void> {
    await call('PATCH', path, { body: { status } });
    webhook.reload();
    announce(`The webhook is ${status}.`);
  }
  return (
    <Page
      title={data === undefined ? 'Webhook' : new URL(data.url).host}
      back={<a href={href(['webhooks'])}>Webhooks</a>}
      actions={data && <Actions record={data} onOpen={setOpen} onEnable={() => setStatus('active')} />}
    >
      <Shown of={webhook}>{(record) => <WebhookFacts record={record} />}</Shown>
      {data && <Deliveries webhook={data} onSent={webhook.reload} />}
      {data && open === 'change' && (
        <ChangeWebhook record={data} onClose={close} onChanged={webhook.reload} />
      )}
      {data && open === 'rotate' && (
        <RotateSecret
          path={path}
          onClose={close}
          onRotated={(next) => {
            close();
            setRotated(next);
          }}
        />
      )}
      {open === 'disable' && (
        <Confirm
          title="Disable this webhook?"
          action="Disable webhook"
          onClose={close}
          work={() => setStatus('disabled')}
        >
          <p>Events until it is active again are never sent.</p>
        </Confirm>
      )}
      {open === 'remove' && (
        <Confirm
          title="Remove this webhook?"
          action="Remove webhook"
          onClose={close}
          work={async () => {
            await call('DELETE', path);
            announce('The webhook is removed.');
            go(['webhooks']);
          }}
        >
          <p>It gets no more events, and its log is deleted.</p>
        </Confirm>
      )}
      {rotatedWebhook && (
        <Reveal
          secret={rotatedWebhook.secret}
          name={rotatedWebhook.url}
          what="secret"
          onClose={() => setRotated(undefined)}
        />
      )}
    </Page>
  );
}

function Actions(props: {
  record: Webhook;
  onOpen: (dialog: Dialog) => void;
  onEnable: () => void;
}): JSX.Element {
  const { record, onOpen, onEnable } = props;
  const mayChange = may('PATCH /webhooks/{id}');
  return (
    <>
      {mayChange && (
        <button type="button" class="button" onClick={() => onOpen('change')}>
          Change
        </button>
      )}
      {may('POST /webhooks/{id}/rotate') && (
        <button type="button" class="button" onClick={() => onOpen('rotate')}>
          Rotate secret
        </button>
      )}
      {mayChange && (
        <button
          type="button"
          class="button"
          onClick={() => (record.status === 'active' ? onOpen('disable') : onEnable())}
        >
          {record.status === 'active' ? 'Disable' : 'Enable'}
        </button>
      )}
      {may('DELETE /webhooks/{id}') && (
        <button type="button" class="button danger-quiet" onClick={() => onOpen('remove')}>
          Remove
        </button>
      )}
    </>
  );
}

function WebhookFacts({ record }: { record: Webhook }): JSX.Element {
  const { status, disabled_reason, types, failures_in_a_row } = record;
  const timeOf = (instant: string | null) =>
    instant === null ? <span class="quiet">never</span> : <Time at={instant} />;
  return (
    <Facts
      rows={[
        [
          'Status',
          <span key="status">
            <Status value={status} />
            {disabled_reason !== null && <span class="quiet"> {WHY[disabled_reason]}</span>}
          </span>,
        ],
        [
          'URL',
          <code key="url">
            <Breaks of={record.url} />
          </code>,
        ],
        ['Events', types.join(', ')],
        ['Format', record.format],
        [
          'Description',
          record.description && (
            <bdi>
              <Lines of={record.description} />
            </bdi>
          ),
        ],
        ['Last success', timeOf(record.last_success_at)],
        ['Last failure', timeOf(record.last_failure_at)],
        ['Failures in a row', count(failures_in_a_row)],
        ['Created', timeOf(record.created_at)],
        ['Webhook id', <code key="id">{record.id}</code>],
      ]}
    />
  );
}

function RotateSecret(props: {
  path: string;
  onClose: () => void;
  onRotated: (next: NewWebhook) => void;
}): JSX.Element {
  const { path, onClose, onRotated } = props;
  const [grace, setGrace] = useState('86400');
  const task = useTask();
  async function rotate(): Promise<void> {
    const body = { grace_seconds: Number(grace) };
    onRotated(await call<NewWebhook>('POST', `${path}/rotate`, { body }));
  }
  return (
    <DialogForm title="Rotate the secret" action="Rotate secret" task={task} work={rotate} onClose={onClose}>
      <p>A new secret signs the deliveries. Until the old secret ends, both sign.</p>
      <SelectField
        label="The old secret ends"
        hint="Leave time to give the new secret to the receiver."
        value={grace}
        onValue={setGrace}
        options={GRACES}
        error={task.errorAt('/grace_seconds')}
      />
    </DialogForm>
  );
}
