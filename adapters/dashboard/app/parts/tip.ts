/** Shows the text of `data-exact` beside what is hovered or focused; one element for the whole page. */
export function startTips(): void {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.hidden = true;
  let shownFor: Element | undefined;

  function show({ target }: Event): void {
    const found = target instanceof Element ? target.closest('[data-exact]') : null;
    if (found === null) {
      hide();
      return;
    }
    shownFor?.removeAttribute('aria-describedby');
    shownFor = found;
    tip.textContent = found.getAttribute('data-exact');
    // A modal dialog covers everything outside of it, and what a page says belongs to a landmark.
    (found.closest('dialog, main') ?? document.body).append(tip);
    found.setAttribute('aria-describedby', 'tip');
    tip.hidden = false;
    const { left, top, bottom } = found.getBoundingClientRect();
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
