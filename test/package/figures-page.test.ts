import * as fs from 'node:fs';
import { FIGURES_PAGE, figuresPage } from './figures-page';

test('the page of figures says what the dictionary says; otherwise npm run api writes it again', () => {
  expect(figuresPage()).toBe(fs.readFileSync(FIGURES_PAGE, 'utf8'));
});
