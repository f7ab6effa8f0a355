// Writes docs/api.md from the declarations in the build, and docs/settings.md from the table: npm run api
import * as fs from 'node:fs';
import { API_PAGE, apiPage } from './api-page';
import { SETTINGS_PAGE, settingsPage } from './settings-page';

fs.writeFileSync(API_PAGE, apiPage());
fs.writeFileSync(SETTINGS_PAGE, settingsPage());
