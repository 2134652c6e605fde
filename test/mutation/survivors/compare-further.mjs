/** Of the group compare, from the comparison itself on: see `index.mjs`. */
export const compareFurther = [
  {
    file: 'src/verdict/compare/compare.ts',
    line: "const code = isSame ? 'rule_failed' : 'agent_not_found';",
    mutated: [
      'const code = isSame ? \'rule_failed\' : "";',
      'const code = isSame ? "" : \'agent_not_found\';',
    ],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: 'if (one.intent === null || other.intent === null) return other.intent === null;',
    mutated: [
      'if (one.intent === null || false) return other.intent === null;',
      'if (one.intent === null || other.intent === null) return false;',
    ],
    why: 'A difference that no intent shows comes after those that one shows.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: 'return one.reasons.length < other.reasons.length;',
    mutated: ['return one.reasons.length <= other.reasons.length;'],
    why: 'Of two that show it as well either may be kept.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: 'return own >= 0 ? own : RULES.length + LATER.indexOf(code as ReasonCode);',
    mutated: ['return own > 0 ? own : RULES.length + LATER.indexOf(code as ReasonCode);'],
    why: 'The first rule is that of the status, which is not compared.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: "'parent_not_found',",
    mutated: ['"",'],
    why: 'It is the first of the list: before it is where it was.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: "'rule_failed',",
    mutated: ['"",'],
    why: 'No other difference is listed beside it.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: 'const { reasons } = ask(isParentLost ? { ...denying, ancestors: [] } : denying, denied);',
    mutated: [
      'const { reasons } = ask(isParentLost ? { ...denying, ancestors: ["Stryker was here"] } : denying, denied);',
    ],
    why: 'An ancestor that is no passport denies as a missing one does.',
  },
  {
    file: 'src/verdict/compare/compare.ts',
    line: "const isConfirmed = verdict === 'ALLOW' && first !== undefined;",
    mutated: [
      'const isConfirmed = true;',
      "const isConfirmed = verdict === 'ALLOW' || first !== undefined;",
      'const isConfirmed = true && first !== undefined;',
      "const isConfirmed = verdict === 'ALLOW' && true;",
    ],
    why: 'No question is known that `decide` does not confirm: then a difference has no intent.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return at < first.end ? [{ ...usual, at, code: 'agent_expired' }] : [];",
    mutated: ['return at < first.end ? [{ ...usual, at, code: "" }] : [];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return at >= first.from ? [{ ...usual, at, code: 'agent_not_yet_valid' }] : [];",
    mutated: ['return at >= first.from ? [{ ...usual, at, code: "" }] : [];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "{ ...usual, allowed: unproved(usual.allowed), denied: unproved(usual.denied), code: 'proof_required' },",
    mutated: ['{ ...usual, allowed: unproved(usual.allowed), denied: unproved(usual.denied), code: "" },'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return [{ ...usual, allowed, denied, code: 'proof_invalid' }];",
    mutated: ['return [{ ...usual, allowed, denied, code: "" }];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: 'const budget = exceeded && pair.denying.policy.budgets?.[exceeded.place];',
    mutated: ['const budget = exceeded && pair.denying.policy.budgets[exceeded.place];'],
    why: 'A budget that is exceeded is one of the list: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: 'if (exceeded === undefined || budget === undefined) return [];',
    mutated: [
      'if (exceeded === undefined && budget === undefined) return [];',
      'if (false || budget === undefined) return [];',
      'if (exceeded === undefined || false) return [];',
    ],
    why: 'A budget that is exceeded is one of the list: the condition is for the compiler.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return [{ ...withUse(pair, of(pair, exceeded), budget, exceeded.spent), code: 'budget_exceeded' }];",
    mutated: ['return [{ ...withUse(pair, of(pair, exceeded), budget, exceeded.spent), code: "" }];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return [{ ...of(pair, { ...unasked, isAsked: false }), code: 'approval_required' }];",
    mutated: ['return [{ ...of(pair, { ...unasked, isAsked: false }), code: "" }];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "return [{ ...scene, denied, code: 'approval_expired' }];",
    mutated: ['return [{ ...scene, denied, code: "" }];'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/fields.ts',
    line: "{ ...scene, denied: { ...scene.denied, approval: { state: 'pending' } }, code: 'approval_pending' },",
    mutated: ['{ ...scene, denied: { ...scene.denied, approval: { state: \'pending\' } }, code: "" },'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'if (span.from >= span.end) return undefined;',
    mutated: ['if (false) return undefined;', 'if (span.from > span.end) return undefined;'],
    why: 'A passport that ends before it begins cannot be read, and is asked nothing.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: "const kid = 'key';",
    mutated: ['const kid = "";'],
    why: 'No name of a key is looked at.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'const uses = asked.budgets?.[pair.allowing.agent_id];',
    mutated: ['const uses = asked.budgets[pair.allowing.agent_id];'],
    why: 'A budget that is used is one of those that are not spent: the conditions are for the compiler.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'const budgets = { [pair.allowing.agent_id]: { ...uses, [name]: { ...uses?.[name], ...use } } };',
    mutated: [
      'const budgets = { [pair.allowing.agent_id]: { ...uses, [name]: { ...uses[name], ...use } } };',
    ],
    why: 'A budget that is used is one of those that are not spent: the conditions are for the compiler.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'const isShared = pair.allowing.policy.budgets?.some((one) => isSameCounter(one, budget)) ?? false;',
    mutated: [
      'const isShared = pair.allowing.policy.budgets?.some((one) => isSameCounter(one, budget)) ?? true;',
    ],
    why: 'Without budgets no counter is shared, and none is shown.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'return { from: Math.max(not_before, FIRST), end: Math.min(expires_at, LAST + 1) };',
    mutated: ['return { from: Math.max(not_before, FIRST), end: Math.min(expires_at, LAST - 1) };'],
    why: 'No passport ends in the last millisecond that there is.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: 'policy: agent_id === undefined ? undefined : policy,',
    mutated: ['policy: false ? undefined : policy,'],
    why: 'A passport without an agent has no policy that can be read.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: "changed: attempt(() => parseInstant(active?.updated_at ?? '')) ?? 0,",
    mutated: [
      "changed: attempt(() => parseInstant(active.updated_at ?? '')) ?? 0,",
      'changed: attempt(() => parseInstant(active?.updated_at ?? "Stryker was here!")) ?? 0,',
    ],
    why: 'An instant that cannot be read is 1970, whatever its text is.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: 'ancestors: policy?.parent === undefined ? [] : [boundless(policy.parent)],',
    mutated: ['ancestors: policy?.parent === undefined ? ["Stryker was here"] : [boundless(policy.parent)],'],
    why: 'An ancestor that is not asked for is not looked at.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: 'const { allowed, denied, monetary, approval, budgets = [] } = policy;',
    mutated: ['const { allowed, denied, monetary, approval, budgets = ["Stryker was here"] } = policy;'],
    why: 'A budget that cannot be read names no actions.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: 'return (passport?.public_keys ?? []).map((key) =>',
    mutated: ['return (passport.public_keys ?? []).map((key) =>'],
    why: 'A passport that cannot be read allows nothing, whatever its keys are.',
  },
  {
    file: 'src/verdict/compare/side.ts',
    line: "['crv', 'x', 'y'].map((member) => ownText(key, member) ?? '').join(' '),",
    mutated: ["['crv', 'x', 'y'].map((member) => ownText(key, member) ?? \"Stryker was here!\").join(' '),"],
    why: 'A member that a key lacks is the same for every key.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'const taken = new Set([...(allowing?.exact ?? []), ...(denying?.exact ?? [])]);',
    mutated: [
      'const taken = new Set([...(allowing?.exact ?? ["Stryker was here"]), ...(denying?.exact ?? [])]);',
      'const taken = new Set([...(allowing?.exact ?? []), ...(denying?.exact ?? ["Stryker was here"])]);',
    ],
    why: 'No list names such a target.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'if (target !== undefined) return target;',
    mutated: ['if (true) return target;'],
    why: 'Every entry that can be stored names a target: the loop ends with the first one.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: "differing: outside === undefined ? [] : [{ code: 'target_not_allowed', target: outside }],",
    mutated: ['differing: outside === undefined ? [] : [{ code: "", target: outside }],'],
    why: '`decide` gives the code of a question that it denies.',
  },
  {
    file: 'src/verdict/compare/scene.ts',
    line: 'return set === undefined ? [] : [...set.exact, ...set.patterns.map((suffix) => ANY_HOST + suffix)];',
    mutated: [
      'return set === undefined ? ["Stryker was here"] : [...set.exact, ...set.patterns.map((suffix) => ANY_HOST + suffix)];',
    ],
    why: 'A list that is absent has no entries that are asked for.',
  },
];
