// Writes the pages that are made from tables and schemas, and the JSON Schemas: npm run api
import * as fs from 'node:fs';
import { DOCUMENT_NAMES } from '../../cli/shared/document-schemas';
import { COMMANDS_PAGE, commandsPage } from './commands-page';
import { documentPage, PAGES, schemaFile, schemaText } from './document-pages';
import type { PageName } from './document-pages';
import { FIGURES_PAGE, figuresPage } from './figures-page';
import { LIMITS_PAGE, limitsPage } from './doors-page';
import { TABLES_PAGE, tablesPage } from './tables-page';
import { SETTINGS_PAGE, settingsPage } from './settings-page';

fs.writeFileSync(SETTINGS_PAGE, settingsPage());
fs.writeFileSync(COMMANDS_PAGE, commandsPage());
fs.writeFileSync(FIGURES_PAGE, figuresPage());
fs.writeFileSync(TABLES_PAGE, tablesPage());
fs.writeFileSync(LIMITS_PAGE, limitsPage());
for (const name of Object.keys(PAGES) as PageName[]) {
  fs.writeFileSync(PAGES[name].file, documentPage(name));
}
for (const name of DOCUMENT_NAMES) fs.writeFileSync(schemaFile(name), schemaText(name));
