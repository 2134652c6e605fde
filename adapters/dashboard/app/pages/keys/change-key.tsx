import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey } from '../../../../../src/types.ts';
import { announce } from '../../parts/announce.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { TextField } from '../../parts/field.tsx';
import { call } from '../../state/api.ts';
import { useTask } from '../../state/task.ts';
import { linesOf } from '../../text/words.ts';
import { AgentsField } from './agents-field.tsx';
import { ScopeChoice } from './scope-choice.tsx';

/** Shows the dialog that changes the name, the scopes and the agents of a key. */
export function ChangeKey(props: {
  record: ApiKey;
  onClose: () => void;
  onChanged: () => void;
}): JSX.Element {
  const { record, onClose, onChanged } = props;
  const [name, setName] = useState(record.name);
  const [scopes, setScopes] = useState<readonly string[]>(record.scopes);
  const [agents, setAgents] = useState(record.agent_ids?.join('\n') ?? '');
  const task = useTask();
  async function change(): Promise<void> {
    const agent_ids = linesOf(agents);
    const body = { name, scopes, agent_ids: agent_ids.length > 0 ? agent_ids : null };
    await call('PATCH', `/keys/${record.id}`, { body });
    onChanged();
    announce('The key is changed.');
  }
  return (
    <DialogForm
      title="Change this key"
      action="Save"
      task={task}
      work={change}
      onDone={onClose}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        error={task.errorAt('/name')}
        autoFocus
        required
      />
      <ScopeChoice
        environment={record.environment}
        value={scopes}
        onValue={setScopes}
        error={task.errorAt('/scopes')}
      />
      <AgentsField value={agents} onValue={setAgents} error={task.errorAt('/agent_ids')} />
    </DialogForm>
  );
}
