import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { GENERATED_PARTS, withPart } from './layout-texts';

test.each(GENERATED_PARTS)('$file has the layouts as they are: npm run wire-docs', (part) => {
  const text = fs.readFileSync(path.join(ROOT, part.file), 'utf8');
  expect(withPart(text, part)).toBe(text);
});
