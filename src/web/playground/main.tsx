/** Renders the playground, with the browser's clock and re2js for patterns. */
import { render } from 'preact';
import { re2js } from '../../regex/re2js.js';
import { systemClock } from '../../system/clock.js';
import { readTheme, setTheme } from './model/storage.js';
import { Playground } from './playground.js';
import { ThemeSwitch } from './views/theme-switch.js';

const PATH = '/playground';
const SANDBOX_URL = 'http://127.0.0.1:8080/v2';

setTheme(readTheme());
const switchPlace = document.getElementById('theme');
if (switchPlace !== null) render(<ThemeSwitch />, switchPlace);

const place = document.getElementById('playground');
// If the service served the page, the examples use its URL.
const baseUrl = location.pathname === PATH ? `${location.origin}/v2` : SANDBOX_URL;
if (place !== null) render(<Playground now={systemClock.now()} regex={re2js} baseUrl={baseUrl} />, place);

// Following the link would replace a share link in the address.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
});
