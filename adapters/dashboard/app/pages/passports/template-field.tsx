import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { SelectField } from '../../parts/field.tsx';
import type { PassportForm } from '../../state/passport-form.ts';
import { PASSPORT_TEMPLATES } from '../../text/passport-templates.ts';

/** Renders the choice of a template, which fills in the limits. */
export function TemplateField({ form }: { form: PassportForm }): JSX.Element {
  const [job, setJob] = useState('');
  const template = PASSPORT_TEMPLATES.find((one) => one.job === job);
  return (
    <SelectField
      label="Begin with the limits of"
      value={job}
      onValue={(chosen) => {
        setJob(chosen);
        form.start(PASSPORT_TEMPLATES.find((one) => one.job === chosen)?.fields);
      }}
      options={[['', 'no template'], ...PASSPORT_TEMPLATES.map((one) => [one.job, one.job] as const)]}
      hint={template?.summary ?? 'A template fills in the fields below. Then change the names and limits.'}
    />
  );
}
