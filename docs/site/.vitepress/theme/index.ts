/** The default theme, with the adjustments that WCAG 2.2 AA requires. */
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default DefaultTheme;
