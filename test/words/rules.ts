/** The rules of our style, as patterns: constructions that a reader has to read twice. */

/** Decides whether a sentence breaks a rule. */
export interface Rule {
  test(sentence: string): boolean;
}

const MOST_WORDS = 30;

/** The rules for a sentence of any text, by a name that says what to write instead. */
export const SENTENCE_RULES: Readonly<Record<string, Rule>> = {
  'repeat the noun instead of "that of"': /\b(that|those) of (?!course\b)/i,
  'find a noun for the subject':
    /^(?:And |So |But )?(?:What|Whoever|Whatever|Who) (?!to\b|you\b|we\b|is (?:a|an|the)\b|does\b|do\b)\w+(?![^.?!]*\?)/,
  'begin with the subject':
    /^(?:Not )?(?:Judged|Approved|Kept|Seen|Found|Measured|Taken|Asked|Left out|So|Neither) (?:is|are|was|were|do|does|did)\b/,
  'write "your own rule" instead of "a rule of your own"':
    /\bof (?:its|your|their|our|his) own\b|\bof (?:yours|ours|theirs)\b/,
  'repeat the noun instead of "one"':
    /\b(?:the other|another|a further|each further) one\b|(?:[,;:]|and|or|but|not) one (?:that|which|who)\b/,
  'use one semicolon or colon': /:\s[^:;.]*;\s|;\s[^;.]*;\s/,
  'use a plain word: again, next to, instead of':
    /\banew\b|\bbesides?\b|\bin (?:the|its|their) places? of\b|\bat any rate\b|\ball the same\b(?! \w+ )|\bat one time\b/,
  'write continue, exist, is described':
    /\b(?:goes|go|lives|live|leads?) on\b(?! \w+ing\b)(?! the\b)|\bstands? (?:beside|in|under|behind|below|twice|here|there)\b/,
  'write if instead of where':
    /^Where\b(?![^.]*\?)|[,;] where (?:it|there|that|nothing|no|all|one)\b|\balso where\b/,
  'name the thing instead of "what was …"':
    /\bwhat (?:came|comes|becomes) of\b|\bwhat (?:was|is) (?:taken|held|asked|said|under way|given|meant|decided|wanted)\b/i,
  'write automatically instead of by itself': /\bby (?:itself|themselves)\b/,
  'use the word of the glossary (src/README.md)':
    /\b(?:deeds?|doors?|hovers|strangers?|(?:at|the|a) first sight|verbs?|doubtful|whole program)\b/i,
  'use the active voice':
    /\b(?:is|are|was|were|be|been) (?:judged|believed|noted|told|led|heard|spoken|meant)\b/,
  'write even if, or a new sentence': /, also (?:when|where|if|while|one|those)\b|[.;:] Also\b/,
  'write no longer': /\bany more\b|\bnot yet any\b/,
  'write per minute':
    /\b(?:verdicts|verifications|writes|requests|records|intents|calls) an? (?:second|minute|hour|day)\b/,
  'write people': /\bpersons\b/,
  'use one negation':
    /\b(?:nothing|no one|none|nobody)\b[^.,;:]{0,40}\b(?:but|without|lacks?|misses?|none)\b|\bbut for\b(?! \w+ing)/i,
  'write at most 30 words': { test: (sentence) => sentence.split(/\s+/).length > MOST_WORDS },
};

/** The rules for the line of a command in the help. */
export const HELP_RULES: Readonly<Record<string, Rule>> = {
  'write at most 60 characters': { test: (text) => text.length > 60 },
  'use no colon': /:/,
  'begin in lower case': /^[A-Z]/,
};

/** The rules for the line of a group of commands. */
export const GROUP_RULES: Readonly<Record<string, Rule>> = {
  ...HELP_RULES,
  'begin with manage': { test: (text) => !text.startsWith('manage ') },
};

/** The rules for the summary of an endpoint in the OpenAPI document. */
export const SUMMARY_RULES: Readonly<Record<string, Rule>> = {
  'write at most 80 characters': { test: (text) => text.length > 80 },
  'begin with a capital letter': /^[^A-Z]/,
  'begin with an imperative verb': /^(?:The|An?|All|Each|What|This|Do|No)\b|^\w+(?:[^s]s|ed|ing)\b/,
  'end without a full stop': /\.$/,
};

/** Returns the name of the first rule that a text breaks. */
export function brokenRule(text: string, rules: Readonly<Record<string, Rule>>): string | undefined {
  return Object.keys(rules).find((name) => rules[name]?.test(text));
}
