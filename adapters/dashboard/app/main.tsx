import { render } from 'preact';
import { startTips } from './parts/tip.ts';
import { renderVisibly } from './parts/visible.ts';
import { App } from './shell/app.tsx';

const place = document.querySelector('#app');
if (place !== null) {
  renderVisibly();
  startTips();
  render(<App />, place);
}
