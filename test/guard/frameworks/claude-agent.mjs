/** A script that plays Claude Code 2.1.330 as the Claude Agent SDK runs it: how it treats hooks was seen run. */

/** Calls the hooks of a group as the CLI does: a failure blocks only with `onFailure: 'block'`. */
async function answersOf(groups, event, { signal }) {
  const answers = [];
  for (const { hooks, onFailure = 'continue', timeout = 60 } of groups ?? []) {
    for (const hook of hooks) {
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('late')), timeout * 1_000);
      });
      try {
        const answer = await Promise.race([hook(event, event.tool_use_id, { signal }), late]);
        if (typeof answer !== 'object' || answer === null) throw new TypeError('garbage');
        answers.push(answer);
      } catch {
        if (onFailure === 'block')
          answers.push({
            hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'failed' },
          });
      } finally {
        clearTimeout(timer);
      }
    }
  }
  return answers;
}

/** Plays one call of the model: what ran, what the model was told, and if the agent was stopped. */
export async function callTool({
  options,
  args,
  name = 'pay',
  id = 'toolu_1',
  signal,
  isFailing,
  interrupted,
}) {
  const ran = [];
  const how = { signal: signal ?? new AbortController().signal };
  const base = { session_id: 's', cwd: '/', permission_mode: 'default', tool_name: name, tool_use_id: id };
  const before = { ...base, hook_event_name: 'PreToolUse', tool_input: args };
  const answers = await answersOf(options.hooks.PreToolUse, before, how);
  const own = answers.map(({ hookSpecificOutput }) => hookSpecificOutput ?? {});
  const denied = own.find(({ permissionDecision }) => permissionDecision === 'deny');
  if (denied !== undefined) return { ran, told: denied.permissionDecisionReason };
  const [tool_input = args] = own.flatMap(({ updatedInput = [] }) => updatedInput);
  ran.push(tool_input);
  const event = isFailing ? 'PostToolUseFailure' : 'PostToolUse';
  const after = { ...base, hook_event_name: event, tool_input, ...(interrupted && { is_interrupt: true }) };
  const ends = await answersOf(options.hooks[event], after, how);
  return { ran, stopped: ends.some((answer) => answer.continue === false) };
}
