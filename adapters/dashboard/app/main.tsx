import { render } from 'preact';
import { startTips } from './parts/tip.ts';
import { App } from './shell/app.tsx';

const place = document.querySelector('#app');
if (place !== null) {
  startTips();
  render(<App />, place);
}
