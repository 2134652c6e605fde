/**
 * Starts the tooltips. A tooltip shows `data-exact`, or the full form of a truncated text, next to the hovered or
 * focused element.
 */
export function startTips(): void {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.dir = 'auto';
  tip.hidden = true;
  let shownFor: Element | undefined;

  function show({ target }: Event): void {
    const element = target instanceof Element ? target.closest('[data-exact], .clip, .sub') : null;
    const exact = element?.getAttribute('data-exact') ?? null;
    const isCut = element !== null && element.scrollWidth > element.clientWidth;
    hide();
    if (element === null || (exact === null && !isCut)) return;
    tip.textContent = exact ?? element.textContent;
    // Inside the dialog, because a modal dialog covers everything outside it; inside a landmark for screen readers.
    (element.closest('dialog, main, header') ?? document.body).append(tip);
    tip.hidden = false;
    // Screen readers read a truncated text as a whole already.
    if (exact !== null) {
      shownFor = element;
      element.setAttribute('aria-describedby', 'tip');
    }
    const { left, top, bottom } = element.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    tip.style.top = `${bottom + height + 8 > innerHeight ? top - height - 4 : bottom + 4}px`;
  }
  function hide(): void {
    tip.hidden = true;
    shownFor?.removeAttribute('aria-describedby');
    shownFor = undefined;
  }

  addEventListener('pointerover', show);
  addEventListener('focusin', show);
  addEventListener('focusout', hide);
  addEventListener('scroll', hide, true);
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
}
