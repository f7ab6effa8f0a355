import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { GENERATED_PARTS, withPart } from './layout-texts';

for (const part of GENERATED_PARTS) {
  const file = path.join(ROOT, part.file);
  fs.writeFileSync(file, withPart(fs.readFileSync(file, 'utf8'), part));
}
