import type { ComponentChildren, JSX } from 'preact';

export function Check(props: {
  isOn: boolean;
  onValue: (isOn: boolean) => void;
  isDisabled?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const { isOn, onValue, isDisabled = false, children } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
