import * as fs from 'node:fs';
import { SETTINGS_PAGE, settingsPage } from './settings-page';

test('the page of settings says what the table says; otherwise npm run api writes it again', () => {
  expect(settingsPage()).toBe(fs.readFileSync(SETTINGS_PAGE, 'utf8'));
});
