import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseScenario } from '../../../emulator/scenario/schema';
import { ROOT } from '../../support/paths';
import { takeDocuments, wordsOf } from '../documents';
import type { FuzzTarget } from '../target';

const texts = (): string[] => {
  const folder = path.join(ROOT, 'emulator', 'scenario', 'catalogue');
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').replace(/^\s*#.*\n/gm, ''));
};

export const target: FuzzTarget = {
  about: 'scenario documents (YAML)',
  bytesMax: 600,
  inSuite: 300,
  seeds: () => texts().map((text) => Buffer.from(text)),
  dictionary: () => wordsOf(texts()),
  start: () => takeDocuments((text) => parseScenario(text, 'input')),
};
