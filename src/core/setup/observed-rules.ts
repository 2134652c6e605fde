/** Reports failures of the application's own rules, because a verdict names only the rule, not the cause. */
import { defaultRules, type Facts, type Rule } from '../../verdict/index.ts';

export type ReportRule = (rule: string, cause: unknown) => void;

const CODE = /^[a-z][a-z0-9_]{0,63}$/;

export function observedRules(rules: readonly Rule[], report: ReportRule): readonly Rule[] {
  if (rules === defaultRules) return rules;
  return Object.freeze(
    rules.map((rule, index) => (defaultRules.includes(rule) ? rule : observed(rule, index, report))),
  );
}

function observed(rule: Rule, index: number, report: ReportRule): Rule {
  const name = textOf(rule.name) ?? `rule ${index}`;
  const call = (facts: Facts): ReturnType<Rule> => {
    let answer: ReturnType<Rule>;
    try {
      answer = rule(facts);
    } catch (error) {
      report(name, error);
      throw error;
    }
    const problem = problemOf(answer);
    if (problem !== undefined) report(name, new TypeError(`It answered ${problem}.`));
    return answer;
  };
  return Object.defineProperty(call, 'name', { value: rule.name });
}

function problemOf(answer: unknown): string | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (typeof Object(answer).then === 'function') return 'a Promise: a rule answers at once';
  if (typeof answer !== 'object')
    return `${JSON.stringify(answer) ?? typeof answer}: return nothing, or a reason`;
  const { code, message, ...facts } = answer as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || !CODE.test(code)) return 'a code that is not like no_gambling';
  if (typeof message !== 'string') return 'a reason without a message';
  const fact = Object.entries(facts).find(([, value]) => !isFact(value));
  return fact && `the fact ${fact[0]}, which is no text, number, boolean or null`;
}

function isFact(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function textOf(name: unknown): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined;
}
