/** Of the group storage: see `index.mjs`. */
export const storage = [
  {
    file: 'src/core/storage/caches.ts',
    line: 'parent_agent_id: parent === undefined ? undefined : keepText(parent),',
    mutated: ['parent_agent_id: false ? undefined : keepText(parent),'],
    why: 'What keeps texts gives back undefined as it is: the condition is for the compiler.',
  },
  {
    file: 'src/core/storage/record-cache.ts',
    line: 'if (knownEntry !== undefined && knownEntry.value === value && knownEntry.version === version) {',
    mutated: [
      'if (false) {',
      'if (knownEntry !== undefined && knownEntry.value === value && true) {',
      'if (knownEntry !== undefined && knownEntry.value === value && knownEntry.version !== version) {',
      'if (knownEntry !== undefined && knownEntry.value === value && knownEntry.version === version) {}',
    ],
    why: 'A new entry says the same as the one renewed, which saves making it; no value has two versions.',
  },
  {
    file: 'src/core/storage/record-cache.ts',
    line: 'return spentMs < 1 ? answer : within(() => answer, { ms: deadlineMs - spentMs, toError: tooLate });',
    mutated: [
      'return false ? answer : within(() => answer, { ms: deadlineMs - spentMs, toError: tooLate });',
      'return spentMs <= 1 ? answer : within(() => answer, { ms: deadlineMs - spentMs, toError: tooLate });',
    ],
    why: 'The read has a deadline of its own, which ends at the same millisecond or the next one.',
  },
];
