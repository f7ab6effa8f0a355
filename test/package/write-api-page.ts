// Writes docs/api.md from the declarations in the build: npm run api
import * as fs from 'node:fs';
import { API_PAGE, apiPage } from './api-page';

fs.writeFileSync(API_PAGE, apiPage());
