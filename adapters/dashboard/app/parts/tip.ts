/** Shows the text of `data-exact`, or the whole of a text that is cut, beside what is hovered or focused. */
export function startTips(): void {
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.setAttribute('role', 'tooltip');
  tip.dir = 'auto';
  tip.hidden = true;
  let shownFor: Element | undefined;

  function show({ target }: Event): void {
    const found = target instanceof Element ? target.closest('[data-exact], .clip, .sub') : null;
    const exact = found?.getAttribute('data-exact') ?? null;
    const isCut = found !== null && found.scrollWidth > found.clientWidth;
    hide();
    if (found === null || (exact === null && !isCut)) return;
    tip.textContent = exact ?? found.textContent;
    // A modal dialog covers everything outside of it, and what a page says belongs to a landmark.
    (found.closest('dialog, main, header') ?? document.body).append(tip);
    tip.hidden = false;
    // Screen readers read what is cut as a whole.
    if (exact !== null) {
      shownFor = found;
      found.setAttribute('aria-describedby', 'tip');
    }
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
