import { render } from 'preact';
import { renderVisibly } from './parts/page.tsx';
import { startTips } from './parts/tip.ts';
import { App } from './shell/frame.tsx';

const place = document.querySelector('#app');
if (place !== null) {
  renderVisibly();
  startTips();
  render(<App />, place);
}
